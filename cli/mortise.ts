import { loadDotEnv } from '../core-plugins/config/config.ts'
import { CommandError } from '../core-plugins/extensions/extensions.ts'
import { AppError } from '../core-plugins/http/http.ts'
import { createLog } from '../core-plugins/log/log.ts'
import { StartupError } from '../kernel/index.ts'
import type { ServiceOptions } from '../service.ts'
import { coreCommands } from './commands.ts'
import { createProgram, isGroupAlone, isHelpShown, parseErrorOf, type RunCommand } from './program.ts'

async function readProject(): Promise<ServiceOptions> {
  const workingDirectory = process.cwd()
  const env = await loadDotEnv({ workingDirectory, env: process.env })
  return { env, workingDirectory, log: await createLog({ ...env, LOG_LEVEL: 'warn' }) }
}

const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => interruption.abort(new CommandError(`stopped by ${signal}`)))
}

const runCommand: RunCommand = async (command, input) =>
  command.run({
    ...input,
    project: await readProject(),
    signal: interruption.signal,
    progress: (line: string) => void process.stderr.write(`${line}\n`),
  })

/** The message of a failure that whoever typed the command can do something about. */
function expected(error: unknown): string | undefined {
  if (error instanceof CommandError || error instanceof StartupError) return error.message.trimEnd()
  if (!(error instanceof AppError)) return parseErrorOf(error)
  const details = (error.details ?? []).map(({ path, message }) => `${path} ${message}`)
  return details.length === 0 ? error.message : details.join('\n')
}

async function run(args: readonly string[]) {
  const program = createProgram(coreCommands, runCommand)
  if (args.length === 0) return program.outputHelp()
  await program.parseAsync(args, { from: 'user' })
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  if (!isHelpShown(error)) {
    if (!isGroupAlone(error)) console.error(expected(error) ?? error)
    process.exitCode = 1
  }
}
