import type { EntryModel } from '../entry/entry-model.ts'
import type { Change } from './change.ts'

/**
 * A change from values by field as they are stored, unchecked; for writes of the service itself.
 * @throws Error if the type has no such field
 */
export function storedChange(model: EntryModel, values: Readonly<Record<string, unknown>>): Required<Change> {
  const columns: Record<string, unknown> = {}
  const links = new Map<string, readonly number[]>()
  for (const [name, value] of Object.entries(values)) {
    const field = model.stored.find((candidate) => candidate.name === name)
    if (field === undefined) throw new Error(`${model.type.name} has no field ${name}`)
    if ('column' in field) columns[field.column] = value
    else links.set(name, value as readonly number[])
  }
  return { columns, links }
}

/** The reverse: values by field of a checked change. */
export function namedValues(
  model: EntryModel,
  { columns, links = noLinks }: Change,
): Record<string, unknown> {
  const values: Record<string, unknown> = Object.fromEntries(links)
  for (const field of model.stored) {
    if ('column' in field && Object.hasOwn(columns, field.column)) values[field.name] = columns[field.column]
  }
  return values
}

const noLinks: ReadonlyMap<string, readonly number[]> = new Map()
