import type { ParseArgsConfig } from 'node:util'
import type { ServiceOptions } from '../service.ts'

/** What stands behind a command's name. */
export interface Arguments {
  readonly positionals: readonly string[]
  /** Those that the command declares, by their long names. */
  readonly options: Readonly<Record<string, string | boolean | undefined>>
}

/** One of the things that `npm run mortise -- <command>` does. */
export interface Command {
  /** Its arguments as help shows them: `<name>` must be given, `[file]` may be. */
  readonly usage: string
  readonly summary: string
  /** One argument at most unless told otherwise. */
  readonly maxArguments?: number
  readonly options?: NonNullable<ParseArgsConfig['options']>
  /** Answers what to print. @throws UsageError, StartupError */
  run(project: ServiceOptions, argument: string | undefined, all: Arguments): Promise<string>
}

/** The command was not called as it should be; the message says how. */
export class UsageError extends Error {}
