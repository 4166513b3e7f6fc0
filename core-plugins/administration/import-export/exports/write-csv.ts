import { stringify } from 'csv-stringify/sync'
import type { Entry } from '../../../entries/content/content.ts'
import type { Attribute, Schemas } from '../../../foundation/schemas/schemas.ts'
import { isJsonCell } from '../formats/cells.ts'
import { guardFormula } from '../formats/formulas.ts'
import type { OpenedExport } from './read-entries.ts'

/** A column: the path from an entry to its value, and whether the value is written as JSON. */
interface Column {
  readonly path: readonly string[]
  readonly isJson: boolean
}

/**
 * Writes a row for each entry. The attributes of a single component have columns, `seo.title`. Relations that are written by keys,
 * repeatable components, zones and JSON fields are JSON in their cells.
 */
export async function* writeCsv(
  { type, fields, pages }: OpenedExport,
  schemas: Schemas,
): AsyncGenerator<string> {
  const columns = fields.flatMap((field) => columnsOf([field], type.attributes.get(field), schemas))
  yield stringify([columns.map(({ path }) => path.join('.'))])
  for await (const entries of pages) {
    if (entries.length > 0) yield stringify(entries.map((entry) => rowOf(columns, entry)))
  }
}

/** Ends because no component contains itself. */
function columnsOf(
  path: readonly string[],
  attribute: Attribute | undefined,
  schemas: Schemas,
): readonly Column[] {
  const inner =
    attribute?.type === 'component' && !attribute.repeatable
      ? schemas.components.get(attribute.component)
      : undefined
  if (inner === undefined) return [{ path, isJson: isJsonCell(attribute) }]
  const attributes = [...inner.attributes.values()].filter((each) => !each.private)
  return attributes.flatMap((each) => columnsOf([...path, each.name], each, schemas))
}

function rowOf(columns: readonly Column[], entry: Entry): string[] {
  return columns.map(({ path, isJson }) => {
    let value: unknown = entry
    for (const name of path) value = (value as Readonly<Record<string, unknown>> | null | undefined)?.[name]
    return cellOf(value, isJson)
  })
}

function cellOf(value: unknown, isJson: boolean): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'object' || isJson) return JSON.stringify(value)
  return typeof value === 'string' ? guardFormula(value) : String(value)
}
