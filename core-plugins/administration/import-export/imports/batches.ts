import { AppError } from '../../../foundation/http/http.ts'
import type { ImportRecord } from '../import-export.ts'
import type { SourceRow } from './prepare-rows.ts'

/** Records of one type that are stored in one transaction. */
export interface Batch {
  readonly type: string
  readonly rows: readonly SourceRow[]
}

/** Enough to make the cost of a transaction negligible, but few enough that other writes wait only briefly. */
export const maxBatchRows = 500
const maxCharacters = 4_000_000

export interface BatchOptions {
  /** The type of records that do not name one. */
  readonly type: string | undefined
  /** The number of records to skip. */
  readonly from: number
}

/** Collects records until the type changes or the batch is full. @throws AppError 400 for a record without a type */
export async function* batchesOf(
  records: AsyncIterable<ImportRecord>,
  { type: usual, from }: BatchOptions,
): AsyncGenerator<Batch> {
  let rows: SourceRow[] = []
  let [current, characters, place] = ['', 0, 0]
  for await (const { type = usual, line, data, problem, characters: size = 0 } of records) {
    place += 1
    if (place <= from) continue
    if (type === undefined) throw missingType(line ?? place)
    const isFull = rows.length >= maxBatchRows || characters + size > maxCharacters
    if (rows.length > 0 && (isFull || type !== current)) {
      yield { type: current, rows }
      rows = []
      characters = 0
    }
    current = type
    characters += size
    rows.push({ line: line ?? place, type, data, problem })
  }
  if (rows.length > 0) yield { type: current, rows }
}

function missingType(line: number): AppError {
  const message = `line ${line} names no type, and the import has none`
  return AppError.invalid([{ path: 'type', code: 'required', message }])
}
