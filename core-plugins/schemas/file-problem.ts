import type { StartupProblem } from '../../kernel/index.ts'

/** A problem in a file; `at` is the dotted path in it, empty for the whole file. */
export interface FileProblem {
  readonly at: string
  readonly message: string
  readonly remedy: string
}

/** The problem with its file, as the startup report shows it. */
export function inFile(path: string, { at, message, remedy }: FileProblem): StartupProblem {
  return { subject: at === '' ? path : `${path}: ${at}`, message, remedy }
}

/** A value as shown in messages. */
export function shorten(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}
