import type { ServiceOptions } from '../service.ts'

/** One of the things that `npm run mortise -- <command>` does. */
export interface Command {
  /** Its argument as help shows it: `<name>` must be given, `[file]` may be. */
  readonly usage: string
  readonly summary: string
  /** Answers what to print. @throws UsageError, StartupError */
  run(project: ServiceOptions, argument: string | undefined): Promise<string>
}

/** The command was not called as it should be; the message says how. */
export class UsageError extends Error {}
