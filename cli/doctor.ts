import { mediaService } from '../core-plugins/delivery/media/media.ts'
import { type Config, configService, startEnvironment } from '../core-plugins/foundation/config/config.ts'
import { CommandError } from '../core-plugins/panel/extensions/extensions.ts'
import { type Kernel, StartupError, silentLog } from '../kernel/index.ts'
import type { ServiceOptions } from '../service.ts'
import { defineCoreCommand } from './command.ts'
import {
  checkDatabase,
  checkDisk,
  checkFolders,
  checkImages,
  checkMail,
  checkNode,
  checkPlugins,
  checkRedis,
  checkServer,
  checkServerLimits,
  checkStorage,
  type Finding,
} from './doctor-checks.ts'
import { startServices, startSettings, startUnbooted } from './partial-service.ts'
import { formatTable } from './table.ts'

export const doctorCommand = defineCoreCommand({
  name: 'doctor',
  summary: 'checks versions, settings, plugins, database, storage, Redis, mail and disk, and says what to do',
  example: 'doctor --json',
  hasJson: true,
  async run({ project }) {
    const findings = await examine(project)
    const isBroken = findings.some(({ status }) => status === 'broken')
    return { text: report(findings), json: { isBroken, findings }, isFailure: isBroken }
  },
})

function report(findings: readonly Finding[]): string {
  const rows = findings.flatMap(({ check, status, message, remedy }) => [
    [check, status, message],
    ...(remedy === undefined ? [] : [['', '', `→ ${remedy}`]]),
  ])
  return formatTable(rows)
}

/** Checks with the environment that `start` would have. Each check needs what the ones before it found sound. */
async function examine(project: ServiceOptions): Promise<Finding[]> {
  const warnings: Finding[] = []
  const env = startEnvironment(project.env)
  const quiet = { ...project, env, log: collecting(warnings) }
  const kernel = await startSettings(quiet).catch(onlyStartup)
  if (kernel instanceof StartupError) return [checkNode(), ...problemsIn('settings', kernel)]
  const sound: Finding[] = [
    { check: 'settings', status: 'ok', message: `fit for ${env.NODE_ENV || 'development'}` },
  ]
  const settings = warnings.length === 0 ? sound : [...warnings]
  try {
    return [checkNode(), ...settings, ...(await examineParts(quiet, kernel))]
  } finally {
    await kernel.stop()
  }
}

async function examineParts(project: ServiceOptions, settings: Kernel): Promise<Finding[]> {
  const config = settings.get(configService)
  const { findings, isReady } = await examineDatabase(project, settings)
  findings.push(...examineServer(config), ...(await checkFolders(config)), ...(await checkRedis(config)))
  // Settings of mail may be stored in the database, and only services know whether they can be used.
  const services = isReady ? await startServices(project).catch(onlyExpected) : undefined
  try {
    if (services instanceof Error) findings.push(...failedStart(services))
    const running = services instanceof Error ? undefined : services
    findings.push(await checkStorage(config, running?.get(mediaService).storage))
    findings.push(
      await checkImages(),
      await checkMail(running?.get(configService) ?? config),
      await checkDisk(config),
    )
    return findings
  } finally {
    if (!(services instanceof Error)) await services?.stop()
  }
}

function examineServer(config: Config): Finding[] {
  try {
    return [checkServer(config)]
  } catch (error) {
    return problemsIn('server', onlyStartup(error))
  }
}

/** `isReady`: services can be started over the database as it is. */
async function examineDatabase(project: ServiceOptions, settings: Kernel) {
  const kernel = await startUnbooted(project).catch(onlyStartup)
  if (kernel instanceof StartupError) {
    return { findings: [...checkPlugins(settings), ...problemsIn('database', kernel)], isReady: false }
  }
  try {
    const { finding, isReady } = await checkDatabase(kernel)
    const findings = [...checkPlugins(kernel), finding, ...(await checkServerLimits(kernel))]
    return { findings, isReady }
  } finally {
    await kernel.stop()
  }
}

/** What the start names, each with its remedy. */
function failedStart({ cause, message }: Error): Finding[] {
  if (cause instanceof StartupError) return problemsIn('services', cause)
  return [{ check: 'services', status: 'broken', message }]
}

function onlyExpected(error: unknown): Error {
  if (error instanceof CommandError) return error
  throw error
}

function onlyStartup(error: unknown): StartupError {
  if (error instanceof StartupError) return error
  throw error
}

function problemsIn(check: string, { problems, message }: StartupError): Finding[] {
  if (problems.length === 0) return [{ check, status: 'broken', message }]
  return problems.map(({ subject, message: text, remedy }) => ({
    ...({ check, status: 'broken', message: `${subject} ${text}` } as const),
    ...(remedy === undefined ? {} : { remedy }),
  }))
}

/** Settings warn through the log; all else is found by the checks. */
function collecting(warnings: Finding[]): ServiceOptions['log'] {
  const log: ServiceOptions['log'] = {
    ...silentLog,
    level: 'silent',
    warn: (_, message) => void warnings.push({ check: 'settings', status: 'warning', message }),
    child: () => log,
  }
  return log
}
