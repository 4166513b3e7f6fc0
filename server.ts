import { loadDotEnv } from './core-plugins/config/config.ts'
import { httpService } from './core-plugins/http/http.ts'
import { createLog, type ProcessLog } from './core-plugins/log/log.ts'
import { type Kernel, StartupError } from './kernel/index.ts'
import { createService } from './service.ts'

const stopTimeoutMs = 10_000

const workingDirectory = process.cwd()
// A server that nobody told what it is must not show what is for development only.
const env = { NODE_ENV: 'production', ...(await loadDotEnv({ workingDirectory, env: process.env })) }
const log = await createLog(env)

try {
  const kernel = await createService({ env, workingDirectory, log })
  stopOnSignals(kernel, log)
  await kernel.start()
  announce(kernel)
} catch (error) {
  if (error instanceof StartupError) process.stderr.write(`${error.message}\n`)
  else log.error({ err: error }, 'the service could not start')
  process.exit(1)
}

function stopOnSignals(kernel: Kernel, log: ProcessLog) {
  let isStopping = false
  const stop = async (reason: string, exitCode: number) => {
    if (isStopping) return
    isStopping = true
    log.info({ reason }, 'stopping')
    setTimeout(() => process.exit(1), stopTimeoutMs).unref()
    await kernel.stop()
    process.exit(exitCode)
  }
  const crash = (error: unknown) => {
    log.error({ err: error }, 'an error that nobody handled; the service stops')
    void stop('crash', 1)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal, 0))
  process.on('uncaughtException', crash)
  process.on('unhandledRejection', crash)
}

function announce(kernel: Kernel) {
  const { url, apiPrefix } = kernel.get(httpService)
  log.info(
    { api: url + apiPrefix, docs: `${url}${apiPrefix}/_docs`, admin: `${url}/admin` },
    `Mortise is up at ${url}`,
  )
}
