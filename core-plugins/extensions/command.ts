import type { Awaitable } from '../../kernel/index.ts'

/** An argument of a command, which comes after its name without a flag. */
export interface CommandArgument {
  /** For help, in a few words: `a CSV file`. */
  readonly summary: string
  /** Only the last arguments may be. */
  readonly isOptional?: boolean
}

/** An option of a command: `dryRun` is `--dry-run` on the command line. */
export interface CommandOption {
  /** Others than a `boolean` take a value: `--role editor`. */
  readonly type: 'boolean' | 'string' | 'integer'
  /** For help, in a few words. */
  readonly summary: string
}

/** By their names in camelCase, in the order of the command line. */
export type CommandArguments = Readonly<Record<string, CommandArgument>>

/** By their names in camelCase. */
export type CommandOptions = Readonly<Record<string, CommandOption>>

export type ArgumentsOf<Arguments extends CommandArguments> = {
  readonly [Name in keyof Arguments]: Arguments[Name] extends { readonly isOptional: true }
    ? string | undefined
    : string
}

export type OptionsOf<Options extends CommandOptions> = {
  readonly [Name in keyof Options]: Options[Name]['type'] extends 'boolean'
    ? boolean
    : Options[Name]['type'] extends 'integer'
      ? number | undefined
      : string | undefined
}

/** What a command prints: a text, or what scripts read with `--json` beside it. */
export type CommandResult =
  | string
  | {
      readonly text: string
      /** Printed instead of the text with `--json`. */
      readonly json: unknown
      /** Ends the process with exit code 1 although the command has done its work. */
      readonly isFailure?: boolean
    }

/** What a command is called with. */
export interface CommandInput<Arguments extends CommandArguments, Options extends CommandOptions> {
  readonly arguments: ArgumentsOf<Arguments>
  readonly options: OptionsOf<Options>
  /** Aborted by Ctrl-C and by SIGTERM. */
  readonly signal: AbortSignal
  /** Tells how far a long command has got, on stderr, so that stdout holds only what the command answers. */
  progress(line: string): void
}

/** What all commands of the command line say of themselves. */
export interface CommandShape<Arguments extends CommandArguments, Options extends CommandOptions> {
  /** One line for the list of commands. */
  readonly summary: string
  /** A call for help, without the name of the program: `shop:import prices.csv`. */
  readonly example?: string
  readonly arguments?: Arguments
  readonly options?: Options
  /** Whether it has the option `--json`. */
  readonly hasJson?: boolean
}

/** Wrong input, or another expected failure: the command line shows the message alone, without a stack trace. */
export class CommandError extends Error {}

export type CommandRun<Input> = (input: Input) => Awaitable<CommandResult | undefined>
