/** One thing that keeps the service from starting. */
export interface StartupProblem {
  /** What it is about: a variable, a plugin, a schema file with the path in it. */
  readonly subject: string
  /** What is wrong. */
  readonly message: string
  /** What to do about it. */
  readonly remedy?: string
}

/** Keeps the service from starting; carries all problems found, so that they are mended in one go. */
export class StartupError extends Error {
  readonly problems: readonly StartupProblem[]

  constructor(summary: string, problems: readonly StartupProblem[], cause?: unknown) {
    super([summary, ...problems.map(describeProblem)].join('\n'), { cause })
    this.name = 'StartupError'
    this.problems = problems
  }
}

/** One problem as a line of a report. */
export function describeProblem({ subject, message, remedy }: StartupProblem): string {
  return `  ${subject}: ${message}${remedy === undefined ? '' : ` → ${remedy}`}`
}
