import type { ParseArgsConfig } from 'node:util'
import type { ServiceOptions } from '../service.ts'

/** What follows a command's name on the command line. */
export interface Arguments {
  readonly positionals: readonly string[]
  /** The options that the command declares, by their long names. */
  readonly options: Readonly<Record<string, string | boolean | undefined>>
}

/** A subcommand of `npm run mortise -- <command>`. */
export interface Command {
  /** Its arguments as help shows them: `<name>` is required, `[file]` is optional. */
  readonly usage: string
  readonly summary: string
  /** Default: 1. */
  readonly maxArguments?: number
  readonly options?: NonNullable<ParseArgsConfig['options']>
  /** Returns what to print. @throws UsageError, StartupError */
  run(project: ServiceOptions, argument: string | undefined, all: Arguments): Promise<string>
}

/** The command was called incorrectly; the message says how to call it. */
export class UsageError extends Error {}
