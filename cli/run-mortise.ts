import { createLog } from '../core-plugins/foundation/log/log.ts'
import { CommandError } from '../core-plugins/panel/extensions/extensions.ts'
import { runCommandLine } from './command-line.ts'

/** Commands that do not ask for it are ended by the signals, as any process is. */
let interruption: AbortSignal | undefined

function interruptionOf(): AbortSignal {
  if (interruption !== undefined) return interruption
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => controller.abort(new CommandError(`stopped by ${signal}`)))
  }
  interruption = controller.signal
  return interruption
}

const code = await runCommandLine(process.argv.slice(2), {
  workingDirectory: process.cwd(),
  env: process.env,
  input: process.stdin,
  output: process.stdout,
  errors: process.stderr,
  createLog: (env) => createLog(env, 'stderr'),
  interruption: interruptionOf,
})
if (code !== 0) process.exitCode = code
