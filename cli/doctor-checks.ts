import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import satisfies from 'semver/functions/satisfies.js'
import { isConfigured } from '../core-plugins/accounts/email/settings.ts'
import type { Connection } from '../core-plugins/accounts/email/smtp-session.ts'
import { createTransport } from '../core-plugins/accounts/email/transport.ts'
import { freeSpaceOf } from '../core-plugins/background/alerts/free-space.ts'
import { minFreeBytes } from '../core-plugins/background/alerts/settings.ts'
import { tryOut } from '../core-plugins/delivery/media/files/try-out.ts'
import { type MediaStorage, StorageFailure } from '../core-plugins/delivery/media/media.ts'
import { storageType, uploadDir } from '../core-plugins/delivery/media/settings.ts'
import { type Config, dataDir } from '../core-plugins/foundation/config/config.ts'
import { databaseService, schemaSyncService } from '../core-plugins/foundation/database/database.ts'
import { chooseServer, whyNotNative } from '../core-plugins/foundation/http/servers/choose-server.ts'
import { adapter } from '../core-plugins/foundation/http/settings.ts'
import { redisKeyPrefix, redisUrl } from '../core-plugins/foundation/redis/settings.ts'
import { type Kernel, nativePackageProblem } from '../kernel/index.ts'
import serviceManifest from '../package.json' with { type: 'json' }

/** What a check found. Never contains a secret. */
export interface Finding {
  readonly check: string
  /** `skipped`: not in use, or what it needs is broken. */
  readonly status: 'ok' | 'warning' | 'broken' | 'skipped'
  readonly message: string
  /** What to do. */
  readonly remedy?: string
}

export function checkNode(): Finding {
  const range = serviceManifest.engines.node
  const message = `Node.js ${process.versions.node}, Mortise ${serviceManifest.version}`
  if (satisfies(process.versions.node, range)) return { check: 'versions', status: 'ok', message }
  return { check: 'versions', status: 'broken', message, remedy: `install Node.js ${range}` }
}

/** What would serve. @throws StartupError if nothing would */
export function checkServer(config: Config): Finding {
  const check = 'server'
  const { native, problem } = chooseServer(config.get(adapter), config.workingDirectory)
  if (native !== undefined) return { check, status: 'ok', message: `the native server, ${native}` }
  if (problem === undefined) return { check, status: 'ok', message: 'node:http, as server.adapter says' }
  const remedy = problem.remedy === undefined ? {} : { remedy: problem.remedy }
  return { check, status: 'warning', message: whyNotNative(problem), ...remedy }
}

/** Whether pictures can be scaled. What else has native code is needed by every start, which names it. */
export async function checkImages(): Promise<Finding> {
  const check = 'images'
  try {
    const { default: sharp } = await import('sharp')
    return { check, status: 'ok', message: `sharp ${sharp.versions.sharp}` }
  } catch (error) {
    const problem = nativePackageProblem(error)
    if (problem === undefined) throw error
    const { subject, message, remedy } = problem
    return {
      check,
      status: 'broken',
      message: `cannot be scaled: ${subject} ${message}`,
      ...(remedy !== undefined && { remedy }),
    }
  }
}

/** Plugins that should be on and are not: unusable ones, and those made for other versions. */
export function checkPlugins(kernel: Kernel): Finding[] {
  const plugins = kernel.plugins()
  const failed = plugins.filter(({ active, reason = '' }) => !active && !reason.startsWith('switched off'))
  if (failed.length === 0) {
    const count = plugins.filter(({ active }) => active).length
    return [{ check: 'plugins', status: 'ok', message: `${count} are on` }]
  }
  return failed.map(({ name, reason }) => ({
    check: 'plugins',
    status: 'broken',
    message: `${name}: ${reason}`,
    remedy: 'fix or update it, or switch it off in the config file',
  }))
}

/** The finding, and whether services can be started over these tables without making or changing any. */
export interface DatabaseFinding {
  readonly finding: Finding
  readonly isReady: boolean
}

export async function checkDatabase(kernel: Kernel): Promise<DatabaseFinding> {
  const check = 'database'
  const schemaSync = kernel.get(schemaSyncService)
  const { dialect, tables } = await schemaSync.status()
  if (tables === 0) {
    const remedy = 'start the service, or run `mortise database sync`: that makes them'
    const message = `${dialect} answers; there are no tables yet`
    return { finding: { check, status: 'warning', message, remedy }, isReady: false }
  }
  const changes = (await schemaSync.preview()).filter(({ plugin }) => plugin === null || isOn(kernel, plugin))
  const lossy = changes.filter(({ safe }) => !safe).length
  const message = `${dialect} answers; ${tables} tables`
  if (changes.length === 0) return { finding: { check, status: 'ok', message }, isReady: true }
  const remedy =
    lossy === 0
      ? 'the next start makes them, or `mortise database sync`; after that, ask again'
      : 'look at `mortise database preview`, then run `mortise database sync --allow-destructive`'
  const isReady = lossy === changes.length
  const older = isReady ? '' : ' of an earlier version, or of other schema files'
  const pending = `${changes.length} pending changes, ${lossy} of which would lose something`
  return { finding: { check, status: 'warning', message: `${message}${older}; ${pending}`, remedy }, isReady }
}

/** Limits of the database server that hold the service up under load, which a start alone would not show. */
export async function checkServerLimits(kernel: Kernel): Promise<Finding[]> {
  const limits = (await kernel.get(databaseService).tightLimits?.()) ?? []
  return limits.map(({ message, remedy }) => ({ check: 'database', status: 'warning', message, remedy }))
}

/** What is left of a plugin that is off waits for it, and is nothing to mend. */
function isOn(kernel: Kernel, plugin: string): boolean {
  return kernel.plugins().some(({ name, active }) => active && name === plugin)
}

/** The folders that the service writes to, or the nearest ones above, in which it would make them. */
export async function checkFolders(config: Config): Promise<Finding[]> {
  const isLocal = config.get(storageType) === 'local'
  return Promise.all(
    [dataDir, ...(isLocal ? [uploadDir] : [])].map(async (setting): Promise<Finding> => {
      const folder = resolve(config.workingDirectory, config.get(setting))
      const check = 'storage'
      if (await isWritable(folder)) return { check, status: 'ok', message: `${folder} can be written` }
      const remedy = `let the account of the service write to it, or name another one in ${config.envNameOf(setting)}`
      return { check, status: 'broken', message: `${folder} cannot be written`, remedy }
    }),
  )
}

async function isWritable(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.W_OK)
    return true
  } catch (error) {
    const parent = dirname(folder)
    return (error as NodeJS.ErrnoException).code === 'ENOENT' && parent !== folder && isWritable(parent)
  }
}

/** Writes a file to the storage and removes it: that a bucket answers does not mean that we may do so. */
export async function checkStorage(config: Config, storage: MediaStorage | undefined): Promise<Finding> {
  const [check, type] = ['storage', config.get(storageType)]
  if (storage === undefined) {
    return { check, status: 'skipped', message: `${type} is tried once the services can be started` }
  }
  const key = `doctor-${randomUUID()}.txt`
  try {
    await tryOut(storage, key)
    return { check, status: 'ok', message: `${type}: a file was written, read and removed` }
  } catch (error) {
    const remedy = `let the account of the service write, read and delete in the storage of ${config.envNameOf(storageType)}=${type}`
    const message = `${type}: ${key} cannot be written and removed: ${reasonOf(error)}`
    return { check, status: 'broken', message, remedy }
  }
}

/** A storage tells clients to come back; why is for operators. */
function reasonOf(error: unknown): string {
  if (error instanceof StorageFailure) return error.explanation
  const { message, cause } = error as Error
  return cause instanceof Error ? `${message} (${cause.message || cause.name})` : message
}

/** What Redis refuses, and what about it will be a trouble. */
export async function checkRedis(config: Config): Promise<Finding[]> {
  const url = config.get(redisUrl)
  const check = 'Redis'
  if (url === '') return [{ check, status: 'skipped', message: `${config.envNameOf(redisUrl)} is not set` }]
  const { examine } = await import('../core-plugins/foundation/redis/examine.ts')
  const found = await examine(url, config.get(redisKeyPrefix))
  if (found.state === 'away') {
    const remedy = `start it, or correct ${config.envNameOf(redisUrl)}; the service goes on without it meanwhile`
    return [{ check, status: 'broken', message: found.error.message, remedy }]
  }
  const status = found.state === 'refused' ? 'broken' : 'warning'
  const findings = found.problems.map(
    ({ what, remedy }): Finding => ({ check, status, message: what, remedy }),
  )
  if (found.state === 'refused') return findings
  return [{ check, status: 'ok', message: `${found.server} takes all that the service needs` }, ...findings]
}

export async function checkMail(config: Config): Promise<Finding> {
  const check = 'mail'
  if (!isConfigured(config)) {
    return { check, status: 'skipped', message: 'is not set up (email.host, email.from)' }
  }
  try {
    return { check, ...protectionFinding(await createTransport(config).verify()) }
  } catch (error) {
    const remedy = 'see whether the server is up; look at email.host, email.port, email.user and the password'
    return { check, status: 'broken', message: (error as Error).message, remedy }
  }
}

/** Mails contain links that give access to accounts, so the connection must be encrypted, unless the server is on this machine. */
function protectionFinding({ encryption, isTrusted, problem, isLocal }: Connection): Omit<Finding, 'check'> {
  const accepted = 'the server accepts us'
  if (isTrusted === true) {
    return {
      status: 'ok',
      message: `${accepted}; the connection is encrypted (${encryption}), the certificate valid`,
    }
  }
  const told =
    encryption === null
      ? 'is not encrypted'
      : `is encrypted (${encryption}), the certificate proves nothing (${problem})`
  const message = `${accepted}; the connection ${told}`
  if (isLocal) return { status: 'ok', message: `${message}, and stays on this machine` }
  const remedy =
    'reset links can be read on the way: use a server with a valid certificate, name its authority in NODE_EXTRA_CA_CERTS, ' +
    'and set email.requireTls'
  return { status: 'warning', message, remedy }
}

export async function checkDisk(config: Config): Promise<Finding> {
  const folder = resolve(config.workingDirectory, config.get(dataDir))
  const [free, least] = [await freeSpaceOf(folder), config.get(minFreeBytes)]
  const message = `${Math.floor(free / 1024 ** 2)} MiB are free at ${folder}`
  if (free >= least) return { check: 'disk', status: 'ok', message }
  return { check: 'disk', status: 'broken', message, remedy: 'make room, or move the data to a larger disk' }
}
