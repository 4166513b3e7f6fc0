import { stringify } from 'csv-stringify/sync'
import type { OpenedExport } from './read-entries.ts'

/**
 * A row an entry. Relations that are written by keys, components, zones and JSON are JSON in their cells, which an import reads
 * as well as columns with dots.
 */
export async function* writeCsv({ fields, pages }: OpenedExport): AsyncGenerator<string> {
  yield stringify([fields])
  for await (const entries of pages) {
    if (entries.length > 0)
      yield stringify(entries.map((entry) => fields.map((field) => cellOf(entry[field]))))
  }
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
