import type {
  CommandArguments,
  CommandInput,
  CommandOptions,
  CommandRun,
  CommandShape,
} from '../core-plugins/panel/extensions/extensions.ts'
import type { ServiceOptions } from '../service.ts'
import type { Terminal } from './confirm.ts'

/** What core commands know beyond those of plugins. */
interface CoreInput {
  readonly project: ServiceOptions
  readonly terminal: Terminal
}

/** A command of the command line itself; plugins add theirs with `defineCommand`. */
export interface CoreCommand<Arguments extends CommandArguments, Options extends CommandOptions>
  extends CommandShape<Arguments, Options> {
  /** `types`, or `admin create` in a group. */
  readonly name: string
  readonly example: string
  /** @throws CommandError, StartupError or AppError, whose messages are shown without a stack trace */
  readonly run: CommandRun<CommandInput<Arguments, Options> & CoreInput>
}

/** A command whose exact arguments do not matter. */
export interface Command extends CommandShape<CommandArguments, CommandOptions> {
  readonly name: string
  // biome-ignore lint/suspicious/noExplicitAny: a list of commands is not typed by what each of them takes
  readonly run: CommandRun<any>
}

/** Types `run` by `arguments` and `options`. */
export function defineCoreCommand<
  // biome-ignore lint/complexity/noBannedTypes: no arguments are the empty object
  const Arguments extends CommandArguments = {},
  // biome-ignore lint/complexity/noBannedTypes: as above
  const Options extends CommandOptions = {},
>(command: CoreCommand<Arguments, Options>): Command {
  return command
}
