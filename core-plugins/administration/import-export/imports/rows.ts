import { RowsRefused, type SavedEntry } from '../../../entries/content/content.ts'
import { AppError, type ErrorDetail } from '../../../foundation/http/http.ts'
import type { ImportReport } from '../import-export.ts'
import { reportAfter } from './import-report.ts'
import { ImportTaken } from './import-store.ts'
import type { MissingKey, Row } from './prepare-rows.ts'

/** Whether a row is left for when what it refers to is there. */
export const isWaiting = ({ details, missing }: Row) => details.length === 0 && missing.length > 0

export const isReady = ({ details, missing, isTried = false }: Row) =>
  details.length === 0 && missing.length === 0 && !isTried

/** A row with what is wrong with it. */
export function refused(row: Row, details: readonly ErrorDetail[]): Row {
  const counting = details.filter(
    ({ path, code }) => code !== 'required' || row.waived?.includes(path) !== true,
  )
  if (counting.length === 0) return { ...row, isTried: details.length > 0 }
  return { ...row, details: [...row.details, ...counting] }
}

export const problemOf = ({ path, message }: MissingKey): ErrorDetail => ({
  path,
  code: 'reference',
  message,
})

/** The report when rows were saved, refused, or left waiting. */
export function afterRows(
  report: ImportReport,
  rows: readonly Row[],
  saved: readonly SavedEntry[],
): ImportReport {
  // What completes a circle belongs to an entry that was counted.
  const ready = rows.filter(isReady)
  const counted = saved.filter((_, index) => ready[index]?.entryId === undefined)
  const refusals = rows.filter(({ details }) => details.length > 0)
  return reportAfter(report, {
    records: rows.filter(({ waitingId }) => waitingId === undefined).length,
    saved: counted,
    refusals: refusals.map(({ line, type, details, entryId }) => ({
      ...{ line, type, details },
      isStored: entryId !== undefined,
    })),
  })
}

/** The caller may not, or the import was taken over. */
const fatal = [401, 403]

/** What is wrong with which rows; undefined for what is the fault of none. */
export function failuresOf(
  error: unknown,
  rows: readonly Row[],
): ReadonlyMap<Row, readonly ErrorDetail[]> | undefined {
  const ready = rows.filter(isReady)
  if (error instanceof ImportTaken) return undefined
  if (error instanceof RowsRefused) {
    return new Map(
      error.rows.flatMap(({ index, error: reason }) => {
        const row = ready[index]
        return row === undefined ? [] : [[row, detailsOf(reason)] as const]
      }),
    )
  }
  if (!(error instanceof AppError) || error.status >= 500 || fatal.includes(error.status)) return undefined
  // Something about the transaction as a whole: it turns out with fewer of them.
  const [only] = ready
  return ready.length === 1 && only !== undefined ? new Map([[only, detailsOf(error)]]) : new Map()
}

function detailsOf({ code, message, details = [] }: AppError): readonly ErrorDetail[] {
  return details.length === 0 ? [{ path: '', code, message }] : details
}
