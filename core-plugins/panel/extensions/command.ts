import {
  type Awaitable,
  type ExtensionPoint,
  extensionPoint,
  type Log,
  type ServicesOf,
  type ServiceTokens,
} from '../../../kernel/index.ts'
import type { AdminPrincipal } from '../../foundation/http/http.ts'

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

/** What a plugin's command is called with. */
export interface PluginCommandInput<
  Arguments extends CommandArguments,
  Options extends CommandOptions,
  Uses extends ServiceTokens,
> extends CommandInput<Arguments, Options> {
  /** The services of `uses`. */
  readonly services: ServicesOf<Uses>
  /** Whom writes of the command are recorded under: `command line`, with the rights of a super-admin. */
  readonly principal: AdminPrincipal
  readonly log: Log
}

/** A command that a plugin adds to the command line. */
export interface PluginCommand<
  Arguments extends CommandArguments,
  Options extends CommandOptions,
  Uses extends ServiceTokens,
> extends CommandShape<Arguments, Options> {
  /** `<plugin>:<verb>`, such as `shop:import`. */
  readonly name: string
  /**
   * The services that it works with. They are started without listening on a port, running jobs or changing
   * tables, beside a running service or without one; listeners of `app:start` are not called.
   */
  readonly uses?: Uses
  /** @throws CommandError or AppError, whose message is shown without a stack trace */
  readonly run: CommandRun<PluginCommandInput<Arguments, Options, Uses>>
}

/** A plugin's command whose exact arguments do not matter. */
export interface AnyPluginCommand extends CommandShape<CommandArguments, CommandOptions> {
  readonly name: string
  readonly uses?: ServiceTokens
  // biome-ignore lint/suspicious/noExplicitAny: a list of commands is not typed by what each of them takes
  readonly run: CommandRun<any>
}

/** Contribute in `register`: the command line does not start plugins to list their commands. */
export const commands: ExtensionPoint<AnyPluginCommand> = extensionPoint('commands')

/** Types `run` by `arguments`, `options` and `uses`. */
export function defineCommand<
  // biome-ignore lint/complexity/noBannedTypes: no arguments are the empty object
  const Arguments extends CommandArguments = {},
  // biome-ignore lint/complexity/noBannedTypes: as above
  const Options extends CommandOptions = {},
  // biome-ignore lint/complexity/noBannedTypes: as above
  Uses extends ServiceTokens = {},
>(command: PluginCommand<Arguments, Options, Uses>): AnyPluginCommand {
  return command
}

const ownName = /^[a-z][a-z0-9-]*$/
const fieldName = /^[a-z][a-zA-Z0-9]*$/
const takenOptions = ['json', 'help', 'version']

/** Returns the command of a plugin. @throws Error with all that is wrong with it */
export function checkCommand(space: string, command: AnyPluginCommand): AnyPluginCommand {
  const { name, summary, run, arguments: given = {}, options = {} } = command
  const [plugin, verb = '', ...more] = String(name).split(':')
  const checks: [boolean, string][] = [
    [plugin === space && ownName.test(verb) && more.length === 0, `must be named ${space}:<verb>`],
    [isText(summary), 'must have a summary'],
    [typeof run === 'function', 'must have run'],
    ...Object.entries(given).map(([field, argument]): [boolean, string] => [
      fieldName.test(field) && isText(argument?.summary),
      `argument ${field} must have a name in camelCase and a summary`,
    ]),
    ...Object.entries(options).map(([field, option]): [boolean, string] => [
      fieldName.test(field) && !takenOptions.includes(field) && isOption(option),
      `option ${field} must have a name of its own in camelCase, a type and a summary`,
    ]),
    [!isRequiredAfterOptional(given), 'must have its optional arguments last'],
  ]
  const problems = checks.filter(([isRight]) => !isRight).map(([, message]) => message)
  if (problems.length > 0) throw new Error(`the command ${name} ${problems.join(', ')}`)
  return command
}

const isText = (value: unknown) => typeof value === 'string' && value !== ''

const isOption = (option: CommandOption | undefined) =>
  option !== undefined && ['boolean', 'string', 'integer'].includes(option.type) && isText(option.summary)

function isRequiredAfterOptional(given: CommandArguments): boolean {
  const list = Object.values(given)
  const first = list.findIndex((argument) => argument?.isOptional === true)
  return first >= 0 && list.slice(first).some((argument) => argument?.isOptional !== true)
}
