import { RowsRefused, type SavedEntry } from '../../../entries/content/content.ts'
import { AppError, type ErrorDetail } from '../../../foundation/http/http.ts'
import type { ImportReport } from '../import-export.ts'
import { reportAfter } from './import-report.ts'
import { ImportTaken } from './import-store.ts'
import type { MissingKey, Row } from './prepare-rows.ts'

/** Whether a row waits until its references exist. */
export const isWaiting = ({ details, missing }: Row) => details.length === 0 && missing.length > 0

export const isReady = ({ details, missing, isTried = false }: Row) =>
  details.length === 0 && missing.length === 0 && !isTried

/** Makes a refusal of a row with problems. */
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

/** The report after rows were saved, refused or deferred. */
export function afterRows(
  report: ImportReport,
  rows: readonly Row[],
  saved: readonly SavedEntry[],
): ImportReport {
  // The attributes that complete a circle belong to entries that were counted before.
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

/** Errors that end the import: the caller lacks rights. */
const fatal = [401, 403]

/** The problems by row; undefined if the error is not caused by particular rows. */
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
  // The error concerns the transaction as a whole; fewer rows will show which one causes it.
  const [only] = ready
  return ready.length === 1 && only !== undefined ? new Map([[only, detailsOf(error)]]) : new Map()
}

function detailsOf({ code, message, details = [] }: AppError): readonly ErrorDetail[] {
  return details.length === 0 ? [{ path: '', code, message }] : details
}
