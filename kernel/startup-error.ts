import { recogniseAcrossCopies } from './across-copies.ts'
/** A problem that prevents the service from starting. */
export interface StartupProblem {
  /** What it is about: a variable, a plugin, a schema file with the path inside it. */
  readonly subject: string
  /** What is wrong. */
  readonly message: string
  /** How to fix it. */
  readonly remedy?: string
}

/** Prevents the service from starting; carries all problems found, so that they can be fixed in one go. */
export class StartupError extends Error {
  readonly problems: readonly StartupProblem[]

  constructor(summary: string, problems: readonly StartupProblem[], cause?: unknown) {
    super([summary, ...problems.map(describeProblem)].join('\n'), { cause })
    this.name = 'StartupError'
    this.problems = problems
  }
}

recogniseAcrossCopies(StartupError, 'StartupError')

/** Formats a problem as a line of a report. */
export function describeProblem({ subject, message, remedy }: StartupProblem): string {
  return `  ${subject}: ${message}${remedy === undefined ? '' : ` → ${remedy}`}`
}
