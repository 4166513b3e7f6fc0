import { AppError } from '../../../foundation/http/http.ts'
import type { ImportRecord } from '../import-export.ts'
import type { SourceRow } from './prepare-rows.ts'

/** Records of one type that are stored in one transaction. */
export interface Batch {
  readonly type: string
  readonly rows: readonly SourceRow[]
}

/** Many enough that a transaction costs little, few enough that it keeps others waiting for a moment only. */
export const maxBatchRows = 500
const maxCharacters = 4_000_000

export interface BatchOptions {
  /** The type of records that name none. */
  readonly type: string | undefined
  /** How many records to leave out. */
  readonly from: number
}

/** Gathers records until the type changes or there are enough. @throws AppError 400 for a record without a type */
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
