import { stringify } from 'csv-stringify/sync'
import type { Entry } from '../../content/content.ts'
import { type Attribute, isReference, type Schemas } from '../../schemas/schemas.ts'
import { guardFormula } from '../formats/formulas.ts'
import type { OpenedExport } from './read-entries.ts'

/** A column: the way from an entry to its value. */
type Path = readonly string[]

/**
 * A row an entry. An attribute of a component that is there once has a column, `seo.title`; relations that are written by keys, other
 * components, zones and JSON are JSON in their cells.
 */
export async function* writeCsv(
  { type, fields, pages }: OpenedExport,
  schemas: Schemas,
): AsyncGenerator<string> {
  const columns = fields.flatMap((field) => columnsOf([field], type.attributes.get(field), schemas))
  yield stringify([columns.map((path) => path.join('.'))])
  for await (const entries of pages) {
    if (entries.length > 0) yield stringify(entries.map((entry) => rowOf(columns, entry)))
  }
}

/** No component contains itself. */
function columnsOf(path: Path, attribute: Attribute | undefined, schemas: Schemas): Path[] {
  if (attribute === undefined || isReference(attribute) || attribute.type !== 'component') return [path]
  const inner = schemas.components.get(attribute.component)
  if (attribute.repeatable || inner === undefined) return [path]
  const attributes = [...inner.attributes.values()].filter((each) => !each.private)
  return attributes.flatMap((each) => columnsOf([...path, each.name], each, schemas))
}

function rowOf(columns: readonly Path[], entry: Entry): string[] {
  return columns.map((path) => {
    let value: unknown = entry
    for (const name of path) value = (value as Readonly<Record<string, unknown>> | null | undefined)?.[name]
    return cellOf(value)
  })
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return guardFormula(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
