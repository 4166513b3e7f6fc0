import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, chmodSync, chownSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Certificates, makeCertificates } from './certificates.ts'
import { freePort } from './free-port.ts'

/** A temporary database server of this test run. */
export interface TestServer {
  /** An administrator's URL of a database that always exists. */
  readonly url: string
  readonly port: number
  /** Stops the server and removes its data. */
  stop(): Promise<void>
  /** Kills all its processes but keeps the data, like a crash. */
  kill(): Promise<void>
  /** Suspends all its processes, like an overloaded or suspended machine. */
  freeze(): void
  /** Resumes them. */
  thaw(): void
  /** Restarts it on the same port after `kill`. */
  restart(): Promise<void>
}

export interface EncryptedServer extends TestServer {
  /** The path of its certificate authority; undefined without encryption. */
  readonly ca: string | undefined
}

const startTimeoutMs = 300_000

/**
 * Starts PostgreSQL from installed binaries; undefined if there are none. With `isEncrypted` it accepts only encrypted
 * connections.
 */
export async function startPostgres({ isEncrypted = false } = {}): Promise<EncryptedServer | undefined> {
  const postgres = findBinary('postgres')
  const initdb = findBinary('initdb')
  if (postgres === undefined || initdb === undefined) return undefined
  const owner = unprivilegedUser('postgres')
  const directory = ownedDirectory('postgres', owner)
  const data = join(directory, 'data')
  const initArguments = [
    '-D',
    data,
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--no-locale',
    '--no-sync',
  ]
  execFileSync(initdb, initArguments, { ...owner, cwd: directory, stdio: 'ignore' })
  const certificates = isEncrypted ? ownedCertificates(directory, owner) : undefined
  if (isEncrypted) writeFileSync(join(data, 'pg_hba.conf'), 'hostssl all all 127.0.0.1/32 trust\n')
  const port = await freePort()
  const server = await runServer({
    command: postgres,
    arguments: [
      ...(certificates === undefined
        ? []
        : [
            '-c',
            'ssl=on',
            '-c',
            `ssl_cert_file=${certificates.cert}`,
            '-c',
            `ssl_key_file=${certificates.key}`,
          ]),
      ...['-D', data, '-p', String(port), '-k', directory, '-c', 'listen_addresses=127.0.0.1'],
      ...['-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'max_connections=200'],
    ],
    owner,
    directory,
    port,
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
  })
  return { ...server, ca: certificates?.ca }
}

/**
 * Starts MariaDB or MySQL from installed binaries; undefined if there are none. With `isEncrypted` it accepts only encrypted
 * connections.
 */
export async function startMysql({ isEncrypted = false } = {}): Promise<EncryptedServer | undefined> {
  const server = findBinary('mariadbd') ?? findBinary('mysqld')
  if (server === undefined) return undefined
  const owner = unprivilegedUser('mysql')
  const directory = ownedDirectory('mysql', owner)
  const data = join(directory, 'data')
  // A starting server removes the temporary tables in this folder, also those of another server, which then
  // crashes.
  const env = { ...process.env, TMPDIR: directory }
  initialiseMysql(server, data, { ...owner, env, cwd: directory, stdio: 'ignore' })
  const certificates = isEncrypted ? ownedCertificates(directory, owner) : undefined
  const port = await freePort()
  const running = await runServer({
    command: server,
    arguments: [
      ...['--no-defaults', `--datadir=${data}`, `--port=${port}`, '--bind-address=127.0.0.1'],
      ...[`--socket=${join(directory, 's')}`, '--max-connections=500'],
      // Commits survive a crash of the server, but not of the machine.
      ...['--innodb-flush-log-at-trx-commit=2', '--innodb-flush-method=nosync'],
      ...(certificates === undefined
        ? []
        : [
            `--ssl-cert=${certificates.cert}`,
            `--ssl-key=${certificates.key}`,
            '--require-secure-transport=ON',
          ]),
    ],
    env,
    owner,
    directory,
    port,
    url: `mysql://root@127.0.0.1:${port}/`,
  })
  return { ...running, ca: certificates?.ca }
}

/** Certificates readable only by the server's user, which the server requires. */
function ownedCertificates(directory: string, owner: Owner): Certificates {
  const certificates = makeCertificates(directory)
  chmodSync(certificates.key, 0o600)
  if (owner.uid !== undefined)
    for (const file of Object.values(certificates)) chownSync(file, owner.uid, owner.gid)
  return certificates
}

/** Starts Redis from installed binaries, with these options (`--name value`); undefined if there are none. */
export async function startRedis(options: readonly string[] = []): Promise<TestServer | undefined> {
  const server = findBinary('redis-server')
  if (server === undefined) return undefined
  const directory = ownedDirectory('redis', {})
  const port = await freePort()
  return runServer({
    command: server,
    arguments: [
      ...['--port', String(port), '--bind', '127.0.0.1', '--dir', directory],
      ...['--save', '', '--appendonly', 'no', ...options],
    ],
    owner: {},
    directory,
    port,
    url: `redis://127.0.0.1:${port}`,
  })
}

/** Starts a Sentinel that watches nothing; undefined if Redis is not installed. */
export async function startSentinel(): Promise<TestServer | undefined> {
  const command = findBinary('redis-server')
  if (command === undefined) return undefined
  const directory = ownedDirectory('sentinel', {})
  const port = await freePort()
  const file = join(directory, 'sentinel.conf')
  writeFileSync(file, `port ${port}\nbind 127.0.0.1\ndir ${directory}\n`)
  const url = `redis://127.0.0.1:${port}`
  return runServer({ command, arguments: [file, '--sentinel'], owner: {}, directory, port, url })
}

/** The installed PgBouncer, or the one that TEST_PGBOUNCER names. */
export const findPgBouncer = () => process.env.TEST_PGBOUNCER ?? findBinary('pgbouncer')

/** Starts the PgBouncer `command` in front of a PostgreSQL server, with these settings of its section `pgbouncer`. */
export async function startPgBouncer(
  command: string,
  serverUrl: string,
  settings: Readonly<Record<string, string | number>>,
): Promise<TestServer> {
  // It refuses to run as root.
  const owner = unprivilegedUser('postgres')
  const directory = ownedDirectory('pgbouncer', owner)
  const port = await freePort()
  const { hostname, port: serverPort, username } = new URL(serverUrl)
  const all = {
    ...{ listen_addr: '127.0.0.1', listen_port: port, unix_socket_dir: '', auth_type: 'any' },
    ...settings,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`)
  const server = `* = host=${hostname} port=${serverPort || 5432} user=${username}`
  const file = join(directory, 'pgbouncer.ini')
  writeFileSync(file, ['[databases]', server, '[pgbouncer]', ...lines, ''].join('\n'))
  const url = `postgres://${username}@127.0.0.1:${port}/postgres`
  return runServer({ command, arguments: ['-q', file], owner, directory, port, url })
}

/** Whether a server can be started. */
export const canStart = {
  postgres: () => findBinary('postgres') !== undefined,
  mysql: () => findBinary('mariadbd') !== undefined || findBinary('mysqld') !== undefined,
  redis: () => findBinary('redis-server') !== undefined,
}

function initialiseMysql(server: string, data: string, options: object) {
  const install = findBinary('mariadb-install-db') ?? findBinary('mysql_install_db')
  if (install === undefined) {
    execFileSync(server, ['--no-defaults', '--initialize-insecure', `--datadir=${data}`], options)
    return
  }
  const insecure = '--auth-root-authentication-method=normal'
  execFileSync(install, ['--no-defaults', insecure, '--skip-test-db', `--datadir=${data}`], options)
}

interface ServerCommand {
  readonly command: string
  readonly arguments: readonly string[]
  /** Its environment; the test's by default. */
  readonly env?: NodeJS.ProcessEnv
  readonly owner: Owner
  readonly directory: string
  readonly port: number
  readonly url: string
}

async function runServer(server: ServerCommand): Promise<TestServer> {
  const start = async () => {
    const child = spawn(server.command, server.arguments, {
      ...server.owner,
      ...(server.env === undefined ? {} : { env: server.env }),
      cwd: server.directory,
      stdio: 'ignore',
    })
    await untilListening(server.port, () => child.exitCode !== null)
    return child
  }
  let child = await start()
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    signalAll(child, 'SIGKILL')
    await once(child, 'exit')
  }
  return {
    url: server.url,
    port: server.port,
    kill,
    freeze: () => signalAll(child, 'SIGSTOP'),
    thaw: () => signalAll(child, 'SIGCONT'),
    async restart() {
      child = await start()
    },
    async stop() {
      await kill()
      rmSync(server.directory, { recursive: true, force: true })
    },
  }
}

/** PostgreSQL's backend processes would outlive it for a while and prevent a restart. */
function signalAll({ pid }: ChildProcess, signal: NodeJS.Signals) {
  const lines = execFileSync('ps', ['-A', '-o', 'ppid=,pid='], { encoding: 'utf8' }).split('\n')
  const processes = lines.map((line) => line.trim().split(/\s+/).map(Number))
  const children = processes.filter(([parent]) => parent === pid).map(([, child]) => child)
  for (const each of [pid, ...children]) signalIfThere(each, signal)
}

function signalIfThere(pid: number | undefined, signal: NodeJS.Signals) {
  try {
    if (pid !== undefined) process.kill(pid, signal)
  } catch {}
}

async function untilListening(port: number, hasEnded: () => boolean) {
  const deadline = Date.now() + startTimeoutMs
  while (!(await isListening('127.0.0.1', port))) {
    if (hasEnded() || Date.now() > deadline) throw new Error(`a test server did not start on port ${port}`)
    await delay(50)
  }
}

/** Whether something accepts connections on the port. */
export function isListening(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 2_000 })
    const answer = (isThere: boolean) => {
      socket.destroy()
      resolve(isThere)
    }
    socket.once('connect', () => answer(true))
    socket.once('error', () => answer(false))
    socket.once('timeout', () => answer(false))
  })
}

function findBinary(name: string): string | undefined {
  const onPath = (process.env.PATH ?? '').split(delimiter)
  const places = [...onPath, ...postgresDirectories(), '/usr/sbin', '/usr/local/sbin']
  return places.map((place) => join(place, name)).find(isThere)
}

function postgresDirectories(): string[] {
  const root = '/usr/lib/postgresql'
  if (!isThere(root)) return []
  return readdirSync(root)
    .sort((left, right) => Number(right) - Number(left))
    .map((version) => join(root, version, 'bin'))
}

function isThere(path: string): boolean {
  try {
    accessSync(path)
    return true
  } catch {
    return false
  }
}

/** The user that runs the server; empty for the current one. */
type Owner = { uid: number; gid: number } | Record<string, never>

// PostgreSQL refuses to run as root, so root runs its servers as an unprivileged user.
function unprivilegedUser(preferred: string): Owner {
  if (process.getuid?.() !== 0) return {}
  for (const name of [preferred, 'nobody']) {
    try {
      const id = (flag: string) =>
        Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }))
      return { uid: id('-u'), gid: id('-g') }
    } catch {}
  }
  return {}
}

function ownedDirectory(name: string, owner: Owner): string {
  const directory = mkdtempSync(join(tmpdir(), `mortise-${name}-`))
  chmodSync(directory, 0o700)
  if (owner.uid !== undefined) chownSync(directory, owner.uid, owner.gid)
  return directory
}
