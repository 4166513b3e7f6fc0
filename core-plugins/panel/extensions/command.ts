import {
  type Awaitable,
  type ExtensionPoint,
  extensionPoint,
  type Log,
  type ServicesOf,
  type ServiceTokens,
} from '../../../kernel/index.ts'
import type { AdminPrincipal } from '../../foundation/http/http.ts'

/** A positional argument of a command. */
export interface CommandArgument {
  /** For help, in a few words: `a CSV file`. */
  readonly summary: string
  /** Whether it may be omitted; only the last arguments may be. */
  readonly isOptional?: boolean
}

/** An option of a command: `dryRun` is `--dry-run` on the command line. */
export interface CommandOption {
  /** All types except `boolean` take a value: `--role editor`. */
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

/** The output of a command: a text, optionally with a value for `--json`. */
export type CommandResult =
  | string
  | {
      readonly text: string
      /** Printed instead of the text with `--json`. */
      readonly json: unknown
      /** Whether the process ends with exit code 1 although the command has done its work. */
      readonly isFailure?: boolean
    }

/** The input of a command. */
export interface CommandInput<Arguments extends CommandArguments, Options extends CommandOptions> {
  readonly arguments: ArgumentsOf<Arguments>
  readonly options: OptionsOf<Options>
  /** Aborted by Ctrl-C and by SIGTERM. */
  readonly signal: AbortSignal
  /** Reports progress on stderr, so that stdout contains only the command's output. */
  progress(line: string): void
}

/** The description of every command. */
export interface CommandShape<Arguments extends CommandArguments, Options extends CommandOptions> {
  /** One line for the list of commands. */
  readonly summary: string
  /** An example call without the name of the program: `shop:import prices.csv`. */
  readonly example?: string
  readonly arguments?: Arguments
  readonly options?: Options
  /** Whether it has the option `--json`. */
  readonly hasJson?: boolean
}

/** Wrong input, or another expected failure: the command line shows the message alone, without a stack trace. */
export class CommandError extends Error {}

export type CommandRun<Input> = (input: Input) => Awaitable<CommandResult | undefined>

/** The input of a plugin's command. */
export interface PluginCommandInput<
  Arguments extends CommandArguments,
  Options extends CommandOptions,
  Uses extends ServiceTokens,
> extends CommandInput<Arguments, Options> {
  /** The services of `uses`. */
  readonly services: ServicesOf<Uses>
  /** The actor under which the command's writes are recorded: `command line`, with the permissions of a super admin. */
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
   * The services that it needs. They are started without listening on a port, running jobs or changing tables, whether or not the
   * service is running; listeners of `app:start` are not called.
   */
  readonly uses?: Uses
  /** @throws CommandError or AppError, whose message is shown without a stack trace */
  readonly run: CommandRun<PluginCommandInput<Arguments, Options, Uses>>
}

/** A plugin's command with any arguments. */
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

/** Returns the command of a plugin. @throws Error listing everything that is wrong with it */
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
