import { AppError } from '../../../foundation/http/http.ts'
import type { ContentType, Schemas } from '../../../foundation/schemas/schemas.ts'
import type { ImportRecord } from '../import-export.ts'
import { decoded } from './decode.ts'
import type { Format } from './format.ts'
import { readNdjson } from './read-ndjson.ts'

export interface ReadOptions {
  readonly format: Format
  readonly type: string
  readonly schemas: Schemas
}

/** Reads the records of a file. The reader of a format is loaded with its first file. */
export async function* readRecords(
  bytes: AsyncIterable<Uint8Array>,
  { format, type, schemas }: ReadOptions,
): AsyncGenerator<ImportRecord> {
  const texts = decoded(bytes)
  if (format === 'ndjson') yield* readNdjson(texts)
  else if (format === 'json') yield* (await import('./read-json.ts')).readJson(texts)
  else yield* (await import('./read-csv.ts')).readCsv(texts, typeNamed(type, schemas), schemas)
}

/** Reads a file to the end before anything is stored, so that a malformed file is refused as a whole. @throws AppError 400, 413 */
export async function countRecords(bytes: AsyncIterable<Uint8Array>, options: ReadOptions): Promise<number> {
  let count = 0
  for await (const _ of readRecords(bytes, options)) count += 1
  return count
}

/** @throws AppError 404 */
function typeNamed(name: string, { types }: Schemas): ContentType {
  const type = types.get(name)
  if (type === undefined) throw AppError.notFound(`content type ${name}`)
  return type
}
