import type { Readable, Writable } from 'node:stream'
import { inspect } from 'node:util'
import { loadDotEnv } from '../core-plugins/foundation/config/config.ts'
import { AppError } from '../core-plugins/foundation/http/http.ts'
import type { ProcessLog } from '../core-plugins/foundation/log/log.ts'
import { CommandError, type CommandResult } from '../core-plugins/panel/extensions/extensions.ts'
import { describeProblem, nativePackageProblem, StartupError } from '../kernel/index.ts'
import type { ServiceOptions } from '../service.ts'
import { coreCommands } from './commands.ts'
import { findPluginCommands } from './plugin-commands.ts'
import { createProgram, isGroupAlone, isHelpShown, parseErrorOf, type RunCommand } from './program.ts'

/** Where a command runs, and what it talks to. */
export interface Surroundings {
  /** The folder of the project. */
  readonly workingDirectory: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly input: Readable & { readonly isTTY?: boolean }
  /** Holds what a command answers, and nothing else. */
  readonly output: Writable
  /** Questions, progress and errors. */
  readonly errors: Writable
  createLog(env: ServiceOptions['env']): Promise<ProcessLog>
  /** A signal that is aborted when the command should stop; used by commands that can stop in an orderly way. */
  interruption(): AbortSignal
}

/**
 * Runs one command, such as `['backup', 'list']`, and says on `errors` why it cannot.
 * @returns the exit code
 */
export async function runCommandLine(args: readonly string[], surroundings: Surroundings): Promise<number> {
  let code = 0
  const run: RunCommand = async (command, input) => {
    const { json = false } = input.options
    const result = await command.run({ ...input, ...(await inputOf(surroundings)) })
    surroundings.output.write(textOf(result, json === true))
    if (typeof result === 'object' && result.isFailure === true) code = 1
  }
  try {
    const program = await programFor(args, run, surroundings)
    await program.parseAsync(args.length === 0 ? ['--help'] : args, { from: 'user' })
    return code
  } catch (error) {
    if (isHelpShown(error)) return 0
    if (!isGroupAlone(error)) surroundings.errors.write(`${messageOf(error)}\n`)
    return 1
  }
}

/** Plugins are looked at only where their commands matter: loading them takes time. */
async function programFor(args: readonly string[], run: RunCommand, surroundings: Surroundings) {
  const [first = '--help'] = args
  const isOwn = coreCommands.some(({ name }) => name.split(' ', 1)[0] === first)
  if (isOwn || first === '--version') return createProgram(coreCommands, run, surroundings)
  const ofPlugins = await findPluginCommands(await readProject(surroundings))
  const program = createProgram([...coreCommands, ...ofPlugins.commands], run, surroundings)
  if (ofPlugins.problem !== undefined) {
    program.addHelpText('after', `\nThere may be more commands, of plugins:\n${ofPlugins.problem}`)
  }
  const isMissing = first.includes(':') && !ofPlugins.commands.some(({ name }) => name === first)
  const reason = isMissing ? ofPlugins.whyMissing(first) : undefined
  if (reason !== undefined) throw new CommandError(reason)
  return program
}

async function readProject({ workingDirectory, ...surroundings }: Surroundings): Promise<ServiceOptions> {
  const fileAndProcess = await loadDotEnv({ workingDirectory, env: surroundings.env })
  const env = { ...fileAndProcess, LOG_LEVEL: 'warn' }
  return { env, workingDirectory, log: await surroundings.createLog(env) }
}

/** What every command is called with, besides its arguments. */
async function inputOf(surroundings: Surroundings) {
  const { input, errors } = surroundings
  return {
    project: await readProject(surroundings),
    terminal: { input, output: errors },
    get signal() {
      return surroundings.interruption()
    },
    progress: (line: string) => void errors.write(`${line}\n`),
  }
}

function textOf(result: CommandResult | undefined, isJson: boolean): string {
  if (result === undefined) return ''
  const answer = typeof result === 'string' ? result : result.text
  const text = isJson && typeof result === 'object' ? JSON.stringify(result.json, null, 2) : answer
  return text === '' ? '' : `${text}\n`
}

/** The message alone if the user can do something about the error; otherwise the stack trace. */
function messageOf(error: unknown): string {
  const native = nativePackageProblem(error)
  if (native !== undefined) return describeProblem(native).trim()
  if (error instanceof CommandError || error instanceof StartupError) return error.message.trimEnd()
  if (!(error instanceof AppError)) return parseErrorOf(error) ?? inspect(error)
  const details = (error.details ?? []).map(({ path, message }) => `${path} ${message}`)
  return details.length === 0 ? error.message : details.join('\n')
}
