import { loadDotEnv } from '../core-plugins/config/config.ts'
import { CommandError } from '../core-plugins/extensions/extensions.ts'
import { AppError } from '../core-plugins/http/http.ts'
import { createLog } from '../core-plugins/log/log.ts'
import { StartupError } from '../kernel/index.ts'
import type { ServiceOptions } from '../service.ts'
import { coreCommands } from './commands.ts'
import { findPluginCommands } from './plugin-commands.ts'
import { createProgram, isGroupAlone, isHelpShown, parseErrorOf, type RunCommand } from './program.ts'

async function readProject(): Promise<ServiceOptions> {
  const workingDirectory = process.cwd()
  const fileAndProcess = await loadDotEnv({ workingDirectory, env: process.env })
  const env = { ...fileAndProcess, LOG_LEVEL: 'warn' }
  // Standard output holds what a command answers, and nothing else.
  return { env, workingDirectory, log: await createLog(env, 'stderr') }
}

let interruption: AbortSignal | undefined

/** Commands that do not ask for it are ended by the signals, as any process is. */
function interruptionOf(): AbortSignal {
  if (interruption !== undefined) return interruption
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => controller.abort(new CommandError(`stopped by ${signal}`)))
  }
  interruption = controller.signal
  return interruption
}

const runCommand: RunCommand = async (command, input) => {
  const project = await readProject()
  return command.run({
    ...input,
    project,
    get signal() {
      return interruptionOf()
    },
    progress: (line: string) => void process.stderr.write(`${line}\n`),
  })
}

/** The message of a failure that whoever typed the command can do something about. */
function expected(error: unknown): string | undefined {
  if (error instanceof CommandError || error instanceof StartupError) return error.message.trimEnd()
  if (!(error instanceof AppError)) return parseErrorOf(error)
  const details = (error.details ?? []).map(({ path, message }) => `${path} ${message}`)
  return details.length === 0 ? error.message : details.join('\n')
}

/** Plugins are looked at only where their commands matter: loading them takes time. */
async function run(args: readonly string[]) {
  const [first = '--help'] = args
  const isOwn = coreCommands.some(({ name }) => name.split(' ', 1)[0] === first)
  if (isOwn || first === '--version')
    return createProgram(coreCommands, runCommand).parseAsync(args, { from: 'user' })
  const project = await readProject()
  const ofPlugins = await findPluginCommands(project)
  const program = createProgram([...coreCommands, ...ofPlugins.commands], runCommand)
  if (ofPlugins.problem !== undefined) {
    program.addHelpText('after', `\nThere may be more commands, of plugins:\n${ofPlugins.problem}`)
  }
  const isMissing = first.includes(':') && !ofPlugins.commands.some(({ name }) => name === first)
  const reason = isMissing ? ofPlugins.whyMissing(first) : undefined
  if (reason !== undefined) throw new CommandError(reason)
  return program.parseAsync(args.length === 0 ? ['--help'] : args, { from: 'user' })
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  if (!isHelpShown(error)) {
    if (!isGroupAlone(error)) console.error(expected(error) ?? error)
    process.exitCode = 1
  }
}
