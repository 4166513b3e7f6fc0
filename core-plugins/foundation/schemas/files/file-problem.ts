import type { StartupProblem } from '../../../../kernel/index.ts'
import type { Origin } from '../origin.ts'

/** A problem in a file; `at` is the dotted path in it, empty for the whole file. */
export interface FileProblem {
  readonly at: string
  readonly message: string
  readonly remedy: string
}

/** A problem, and the plugin that caused it; undefined for the project. */
export interface SchemaProblem extends StartupProblem {
  readonly plugin?: string
  /** The file and the dotted path in it, if the problem is in a file. */
  readonly place?: { readonly path: string; readonly at: string }
}

/** Adds the file to a problem, in the form of the startup report. */
export function inFile({ path, plugin }: Origin, { at, message, remedy }: FileProblem): SchemaProblem {
  const subject = at === '' ? path : `${path}: ${at}`
  return { subject, message, remedy, place: { path, at }, ...(plugin === undefined ? {} : { plugin }) }
}

/** A value as shown in messages. */
export function shorten(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}
