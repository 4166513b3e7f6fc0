import type { Writable } from 'node:stream'
import { Argument, CommanderError, Option, Command as Program } from 'commander'
import type { CommandOption } from '../core-plugins/panel/extensions/extensions.ts'
import { CommandError } from '../core-plugins/panel/extensions/extensions.ts'
import serviceManifest from '../package.json' with { type: 'json' }
import type { Command } from './command.ts'

/** Calls a command with what the command line says, and prints its answer. */
export type RunCommand = (
  command: Command,
  input: {
    readonly arguments: Readonly<Record<string, unknown>>
    readonly options: Readonly<Record<string, unknown>>
  },
) => Promise<void>

/** The streams for help and for error messages. */
export interface ProgramStreams {
  readonly output: Writable
  readonly errors: Writable
}

/** What commands in a group have in common, for help. */
const groups: Readonly<Record<string, string>> = {
  admin: 'accounts of administrators, for when nobody can sign in any more',
  database: 'the tables, and what they lack to be as the schemas say',
  transfer: 'other environments: what differs, and bringing it there or here',
  content: 'entries in files: import and export them',
  backup: 'backups of the content: make, keep and restore them',
  import: 'content of other systems: types, entries, files and users',
}

/** The program with all commands: it parses, checks and helps. */
export function createProgram(
  commands: readonly Command[],
  run: RunCommand,
  streams: ProgramStreams,
): Program {
  const program = prepared(new Program('mortise'), streams)
    .description('Works on the Mortise project in this folder.')
    .usage('<command> [options]')
    .version(serviceManifest.version, '--version', 'shows the version')
    .helpCommand(false)
  for (const command of commands) add(program, command, { run, streams })
  return program
}

/** Errors are thrown rather than printed, so that all of them are shown in one way. */
function prepared(program: Program, { output, errors }: ProgramStreams): Program {
  return program
    .helpOption('--help', 'shows this help')
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void output.write(text),
      writeErr: (text) => void errors.write(text),
      outputError: () => undefined,
      getOutHelpWidth: () => 110,
    })
}

interface Adding {
  readonly run: RunCommand
  readonly streams: ProgramStreams
}

function add(program: Program, command: Command, { run, streams }: Adding) {
  const [group, own] = command.name.split(' ')
  const parent = own === undefined ? program : groupOf(program, group ?? '', streams)
  const each = prepared(new Program(own ?? group), streams)
    .description(command.summary)
    .addHelpText('after', command.example === undefined ? '' : `\nExample:\n  mortise ${command.example}`)
  const names = Object.keys(command.arguments ?? {})
  for (const [name, argument] of Object.entries(command.arguments ?? {})) {
    const { summary, isOptional = false } = argument
    each.addArgument(new Argument(isOptional ? `[${name}]` : `<${name}>`, summary))
  }
  for (const [name, option] of Object.entries(command.options ?? {})) each.addOption(optionOf(name, option))
  if (command.hasJson === true) each.option('--json', 'answers in JSON, for scripts')
  each.action(async () => {
    const given = names.map((name, index) => [name, each.processedArgs[index]])
    const options = { ...flagsOff(command), ...each.opts() }
    await run(command, { arguments: Object.fromEntries(given), options })
  })
  parent.addCommand(each)
}

function groupOf(program: Program, name: string, streams: ProgramStreams): Program {
  const known = program.commands.find((each) => each.name() === name)
  if (known !== undefined) return known
  const group = prepared(new Program(name), streams)
    .description(groups[name] ?? '')
    .helpCommand(false)
  program.addCommand(group)
  return group
}

function optionOf(name: string, { type, summary }: CommandOption): Option {
  const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  if (type === 'boolean') return new Option(flag, summary)
  if (type === 'string') return new Option(`${flag} <text>`, summary)
  return new Option(`${flag} <number>`, summary).argParser((text) => {
    if (/^-?\d{1,15}$/.test(text)) return Number(text)
    throw new CommandError(`${flag} must be a whole number, not ${text}`)
  })
}

function flagsOff({ options = {} }: Command): Record<string, boolean> {
  const flags = Object.entries(options).filter(([, { type }]) => type === 'boolean')
  return Object.fromEntries(flags.map(([name]) => [name, false]))
}

/** Whether parsing ended because help or the version was shown. */
export const isHelpShown = (error: unknown) => error instanceof CommanderError && error.exitCode === 0

/** Whether the command line names only a group, whose commands were shown on stderr. */
export const isGroupAlone = (error: unknown) =>
  error instanceof CommanderError && error.code === 'commander.help'

/** What the parser says of wrong input, as this project words errors. */
export function parseErrorOf(error: unknown): string | undefined {
  if (!(error instanceof CommanderError)) return undefined
  return error.message.replace(/^error: /, '')
}
