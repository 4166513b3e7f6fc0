import type { SavedEntry } from '../../../entries/content/content.ts'
import type { ErrorDetail } from '../../../foundation/http/http.ts'
import type { ImportCounts, ImportProblem, ImportReport } from '../import-export.ts'

/** So that a file of nothing but mistakes cannot fill the memory. */
const maxProblems = 1_000

/** A record that is left out, and why. */
export interface Refusal {
  readonly line: number
  readonly type: string
  readonly details: readonly ErrorDetail[]
  /** Only what completes a circle is left out: the rest of it is stored, and was counted. */
  readonly isStored?: boolean
}

/** What has happened to some of the records. */
export interface Progress {
  /** How many more were read. */
  readonly records: number
  readonly saved: readonly SavedEntry[]
  readonly refusals: readonly Refusal[]
}

export const emptyReport: ImportReport = {
  ...{ records: 0, created: 0, updated: 0, unchanged: 0, refused: 0 },
  ...{ problems: [], problemCount: 0 },
}

/** The report with what has happened since. */
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
