import { Readable } from 'node:stream'
import type { Entry } from '../../../entries/content/content.ts'
import type { Schemas } from '../../../foundation/schemas/schemas.ts'
import type { Format } from '../formats/format.ts'
import type { OpenedExport } from './read-entries.ts'

/** The file of an export, produced as it is read. */
export function fileOf(opened: OpenedExport, format: Format, schemas: Schemas): Readable {
  if (format === 'csv') return Readable.from(inCsv(opened, schemas))
  return Readable.from(format === 'json' ? inArray(opened.pages) : inLines(opened.pages), {
    objectMode: false,
  })
}

async function* inLines(pages: AsyncIterable<readonly Entry[]>): AsyncGenerator<string> {
  for await (const entries of pages) {
    if (entries.length > 0) yield `${entries.map((entry) => JSON.stringify(entry)).join('\n')}\n`
  }
}

async function* inArray(pages: AsyncIterable<readonly Entry[]>): AsyncGenerator<string> {
  let separator = '[\n'
  for await (const entries of pages) {
    if (entries.length === 0) continue
    yield separator + entries.map((entry) => JSON.stringify(entry)).join(',\n')
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}

/** The CSV writer is loaded with the first file. */
async function* inCsv(opened: OpenedExport, schemas: Schemas): AsyncGenerator<string> {
  const { writeCsv } = await import('./write-csv.ts')
  yield* writeCsv(opened, schemas)
}
