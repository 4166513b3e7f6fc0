import type { SavedEntry } from '../../../entries/content/content.ts'
import type { ErrorDetail } from '../../../foundation/http/http.ts'
import type { ImportCounts, ImportProblem, ImportReport } from '../import-export.ts'

/** Bounds the memory that a file full of mistakes takes. */
const maxProblems = 1_000

/** A refused record with its problems. */
export interface Refusal {
  readonly line: number
  readonly type: string
  readonly details: readonly ErrorDetail[]
  /** Only the attributes that complete a circle were refused; the rest of the record is stored and was counted. */
  readonly isStored?: boolean
}

/** The outcome of some of the records. */
export interface Progress {
  /** The number of records read since the last report. */
  readonly records: number
  readonly saved: readonly SavedEntry[]
  readonly refusals: readonly Refusal[]
}

export const emptyReport: ImportReport = {
  ...{ records: 0, created: 0, updated: 0, unchanged: 0, refused: 0 },
  ...{ problems: [], problemCount: 0 },
}

/** Adds the latest progress to a report. */
export function reportAfter(report: ImportReport, { records, saved, refusals }: Progress): ImportReport {
  const outcomes = { created: 0, updated: 0, unchanged: 0 }
  for (const { outcome } of saved) outcomes[outcome] += 1
  const problems = refusals.flatMap(problemsOf)
  return {
    records: report.records + records,
    created: report.created + outcomes.created,
    updated: report.updated + outcomes.updated,
    unchanged: report.unchanged + outcomes.unchanged,
    refused: report.refused + refusals.filter(({ isStored }) => isStored !== true).length,
    problems:
      problems.length === 0 ? report.problems : [...report.problems, ...problems].slice(0, maxProblems),
    problemCount: report.problemCount + problems.length,
  }
}

export function countsOf({
  problems: _problems,
  problemCount: _count,
  ...counts
}: ImportReport): ImportCounts {
  return counts
}

function problemsOf({ line, type, details }: Refusal): ImportProblem[] {
  return details.map(({ path, code, message }) => ({ line, type, path, code, message }))
}
