import cluster from 'node:cluster'
import { areCookiesSecure } from '../core-plugins/accounts/auth/auth.ts'
import {
  configService,
  loadDotEnv,
  loadProjectConfig,
  readEarly,
  startEnvironment,
} from '../core-plugins/foundation/config/config.ts'
import { httpService } from '../core-plugins/foundation/http/http.ts'
import { isFurtherProcess, runProcesses } from '../core-plugins/foundation/http/servers/processes.ts'
import { processes } from '../core-plugins/foundation/http/settings.ts'
import { createLog } from '../core-plugins/foundation/log/log.ts'
import { panelPath } from '../core-plugins/panel/admin-panel/admin-panel.ts'
import { StartupError } from '../kernel/index.ts'
import { createService } from '../service.ts'
import { stopOnSignals } from './stop-on-signals.ts'

const workingDirectory = process.cwd()
const env = startEnvironment(await loadDotEnv({ workingDirectory, env: process.env }))
const log = await createLog(env)

async function serve() {
  const kernel = await createService({ env, workingDirectory, log })
  const isStopping = stopOnSignals(kernel, log)
  try {
    await kernel.start()
  } catch (error) {
    if (!isStopping()) throw error
  }
  if (isStopping() || isFurtherProcess) return
  const { url, apiPrefix } = kernel.get(httpService)
  const api = url + apiPrefix
  const hasPanel = kernel.plugins().some(({ name, active }) => name === 'admin-panel' && active)
  const panel = hasPanel ? { panel: url + panelPath } : {}
  if (hasPanel && areCookiesSecure(kernel.get(configService)))
    log.info(
      {},
      'the panel keeps people signed in over https only, and over http on loopback: docs/deployment.md',
    )
  log.info({ ...panel, api, docs: `${api}/_docs` }, `Mortise is up at ${url}`)
}

async function run() {
  const projectConfig = await loadProjectConfig({ workingDirectory, env })
  const count = readEarly(processes, { env, projectConfig })
  if (count > 1 && cluster.isPrimary) process.exit(await runProcesses(count, log))
  await serve()
}

await run().catch((error) => {
  if (error instanceof StartupError) process.stderr.write(`${error.message}\n`)
  else log.error({ err: error }, 'the service could not start')
  process.exit(1)
})
