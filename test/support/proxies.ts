import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { isListening } from './database-servers.ts'
import { freePort } from './free-port.ts'
import { watchOutput } from './process.ts'
import { skipWithout } from './scope.ts'
import { until } from './until.ts'

/** The port and folder of a proxy, for its configuration. */
export interface ProxyPlace {
  /** The free port on 127.0.0.1 that it listens on. */
  readonly port: number
  /** Its own folder, which is removed afterwards. */
  readonly directory: string
}

/** A real proxy, with a configuration of the test's own. */
export interface RunningProxy extends ProxyPlace {
  /** `http://127.0.0.1:40000` */
  readonly url: string
  /** Its output so far. */
  output(): string
  /** Reloads it with a new configuration; resolves when no worker of the old one is left. For nginx. */
  reload(configuration: (place: ProxyPlace) => string): Promise<void>
  stop(): Promise<void>
}

interface Program {
  /** The path of the program on Debian. */
  readonly path: string
  /** Arguments to run in the foreground with the configuration in `file`. */
  arguments(file: string, place: ProxyPlace): readonly string[]
}

const programs = {
  nginx: {
    path: '/usr/sbin/nginx',
    arguments: (file, { directory }) => ['-e', 'stderr', '-p', directory, '-c', file],
  },
  haproxy: {
    path: '/usr/sbin/haproxy',
    arguments: (file) => ['-db', '-f', file],
  },
  caddy: {
    path: '/usr/bin/caddy',
    arguments: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
  },
  varnish: {
    path: '/usr/sbin/varnishd',
    arguments: (file, { port, directory }) => [
      ...['-F', '-a', `127.0.0.1:${port}`, '-f', file, '-n', join(directory, 'work')],
      ...['-s', 'default,16m', '-j', 'none', '-p', 'backend_idle_timeout=5'],
    ],
  },
  squid: {
    path: '/usr/sbin/squid',
    arguments: (file) => ['-N', '-f', file],
  },
} satisfies Record<string, Program>

export type ProxyName = keyof typeof programs

/** For `skip`: why tests behind a proxy cannot run here, or false. */
export const skipWithoutProxy = (name: ProxyName) => skipWithout(name, isThere(programs[name].path))

function isThere(path: string): boolean {
  try {
    accessSync(path)
    return true
  } catch {
    return false
  }
}

/** Starts a proxy with a complete configuration. @throws Error with its output if it exits immediately */
export async function startProxy(
  name: ProxyName,
  configuration: (place: ProxyPlace) => string,
): Promise<RunningProxy> {
  const directory = mkdtempSync(join(tmpdir(), `mortise-${name}-`))
  // Some drop root privileges after reading their configuration.
  chmodSync(directory, 0o755)
  const place = { port: await freePort(), directory }
  const file = join(directory, `${name}.conf`)
  writeFileSync(file, configuration(place))
  const program: Program = programs[name]
  const child = spawn(program.path, program.arguments(file, place), { stdio: ['ignore', 'pipe', 'pipe'] })
  const output = watchOutput(child)
  const exited = once(child, 'exit')
  await Promise.race([
    until(() => isListening('127.0.0.1', place.port), `${name} listens on ${place.port}`),
    exited.then(() => Promise.reject(new Error(`${name} has ended: ${output.text()}`))),
  ])
  return {
    ...place,
    url: `http://127.0.0.1:${place.port}`,
    output: output.text,
    async reload(next) {
      const before = childrenOf(child)
      writeFileSync(file, next(place))
      child.kill('SIGHUP')
      await until(() => !childrenOf(child).some((pid) => before.includes(pid)), `${name} has reloaded`)
    },
    async stop() {
      child.kill('SIGTERM')
      await exited
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

function childrenOf({ pid }: ChildProcess): readonly string[] {
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
  return stdout.trim().split(/\s+/)
}

/** Starts nginx with the given content of its `http` block. */
export const startNginx = (http: (place: ProxyPlace) => string): Promise<RunningProxy> =>
  startProxy('nginx', nginxConfiguration(http))

/** A complete configuration of nginx. */
export const nginxConfiguration =
  (http: (place: ProxyPlace) => string) =>
  (place: ProxyPlace): string =>
    `daemon off;
pid nginx.pid;
worker_processes 1;
# As root; anybody else is who they are.
user root;
events { worker_connections 512; }
http {
access_log off;
client_body_temp_path body;
proxy_temp_path proxy;
fastcgi_temp_path fastcgi;
uwsgi_temp_path uwsgi;
scgi_temp_path scgi;
${http(place)}
}
`

/** Starts HAProxy with the sections after `defaults`; `haproxyServer` reads the state of its servers. */
export function startHaproxy(sections: (place: ProxyPlace) => string): Promise<RunningProxy> {
  return startProxy(
    'haproxy',
    (place) => `global
  stats socket ${join(place.directory, 'stats')} mode 600 level user
defaults
  mode http
  timeout connect 5s
  # Otherwise a check has to be answered before the next one.
  timeout check 30s
  timeout client 60s
  timeout server 60s
${sections(place)}
`,
  )
}

/** HAProxy's view of a server: its `status` (`UP`, `DOWN`) and the result of the last health check (`L7OK`). */
export async function haproxyServer(proxy: RunningProxy, backend: string, server: string) {
  const socket = connect(join(proxy.directory, 'stats'))
  socket.write('show stat\n')
  const [head = '', ...rows] = (await text(socket)).replace(/^# /, '').split('\n')
  const names = head.split(',')
  const values = rows.map((row) => row.split(',')).find(([of, name]) => of === backend && name === server)
  if (values === undefined) throw new Error(`HAProxy has no server ${server} in ${backend}`)
  const field = (name: string) => values[names.indexOf(name)] ?? ''
  return { status: field('status'), check: field('check_status') }
}
