import { execFileSync } from 'node:child_process'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { WebSocket } from 'ws'
import type { DialectName } from '../core-plugins/foundation/database/database.ts'
import { type Cleanup, createCleanup } from './cleanup.ts'
import { call } from './client.ts'
import { createDatabase, readDatabase } from './database.ts'
import type { LoadTarget } from './load.ts'
import { describeMachine, formatTable } from './report.ts'
import type { ServerProcess } from './server-process.ts'
import { signIn, startService } from './service.ts'
import { createFolder, schemasFolder } from './workspace.ts'

const usage = `npm run bench -- live-stream [options]
  --db sqlite|postgres|mysql   the database (sqlite)
  --clients N                  that follow changes at the same time (10,000)
  --events N                   that each of them is told (20)
  --subscribe                  by one GraphQL subscription, over WebSockets`

/** File descriptors that a process needs besides the sockets. */
const otherFiles = 200
const clientsAtOnce = 100

interface Options {
  readonly database: DialectName
  readonly clients: number
  readonly events: number
  readonly open: OpenOne
}

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      db: { type: 'string', default: 'sqlite' },
      clients: { type: 'string', default: '10000' },
      events: { type: 'string', default: '20' },
      subscribe: { type: 'boolean', default: false },
    },
  })
  const [clients, events] = [Number(values.clients), Number(values.events)]
  if (![clients, events].every((count) => Number.isSafeInteger(count) && count > 0)) throw new Error(usage)
  const open = values.subscribe ? openSubscription : openStream
  return { database: readDatabase(values.db), clients, events, open }
}

/** @throws Error if a process may not open that many sockets */
function assertFiles(clients: number): void {
  const text = execFileSync('/bin/sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim()
  const limit = text === 'unlimited' ? Number.POSITIVE_INFINITY : Number(text)
  if (limit >= clients + otherFiles) return
  throw new Error(
    `${clients} clients need as many open files, but ulimit -n is ${text}: raise it, or pass --clients`,
  )
}

/** Starts a service with public content. */
async function start({ database: dialect, clients }: Options, cleanup: Cleanup) {
  const folder = await createFolder(cleanup)
  const database = await createDatabase(dialect, folder)
  cleanup.add(database.drop)
  // A subscription counts, and its connection does as well.
  const limit = String(2 * clients + otherFiles)
  const service = await startService({
    ...{ databaseUrl: database.url, schemasFolder, folder },
    environment: {
      ...{ SVC_LIVE_MAX_CLIENTS: limit, SVC_LIVE_MAX_CLIENTS_PER_ADDRESS: limit },
      SVC_API_RATE_LIMIT_ENABLED: 'false',
    },
  })
  cleanup.add(service.stop)
  const target = { url: service.url, token: await signIn(service) }
  const roles = await call<{ id: number; name: string }[]>(target, '/api/admin/roles')
  const { id } = roles.data.find(({ name }) => name === 'public') ?? { id: 0 }
  const permissions = { content: { article: { read: true }, author: { read: true } }, media: {} }
  await call(target, `/api/admin/roles/${id}`, { method: 'PUT', body: { permissions } })
  return { service, target }
}

/** Records when clients receive a change. */
interface Audience {
  readonly cut: () => void
  /** Resolves with the times (`performance.now`) at which all clients have received the next change. */
  next(): Promise<readonly number[]>
}

/** Resolves with a function to close the connection, once it is open. */
type OpenOne = (url: string, onChange: () => void) => Promise<() => void>

async function openAll(url: string, count: number, open: OpenOne): Promise<Audience> {
  const cuts: (() => void)[] = []
  let times: number[] = []
  let allTold: ((told: readonly number[]) => void) | undefined
  const onChange = () => {
    times.push(performance.now())
    if (times.length === count) allTold?.(times)
  }
  for (let opened = 0; opened < count; opened += clientsAtOnce) {
    const some = Array.from({ length: Math.min(clientsAtOnce, count - opened) }, () => open(url, onChange))
    cuts.push(...(await Promise.all(some)))
  }
  return {
    cut() {
      for (const cut of cuts) cut()
    },
    next() {
      times = []
      return new Promise((resolve) => {
        allTold = resolve
      })
    },
  }
}

function openStream(url: string, onChange: () => void): Promise<() => void> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(`GET /api/live?types=article HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`),
    )
    socket.setEncoding('latin1')
    socket.once('error', reject)
    socket.on('data', (text: string) => {
      if (text.includes('event: change')) onChange()
      if (text.includes('event: ready')) resolve(() => socket.destroy())
      if (/^HTTP\/1.1 [45]/.test(text)) reject(new Error(`a stream was refused: ${text.slice(0, 300)}`))
    })
  })
}

const subscription =
  'subscription { articleChanged { change id entry { title slug rank body author { name } } } }'

function openSubscription(url: string, onChange: () => void): Promise<() => void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/graphql`, 'graphql-transport-ws')
  const send = (message: object) => socket.send(JSON.stringify(message))
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.once('close', (code) => reject(new Error(`a connection was closed with ${code}`)))
    socket.once('open', () => send({ type: 'connection_init' }))
    socket.on('message', (data) => {
      const { type } = JSON.parse(String(data))
      if (type === 'next') onChange()
      if (type === 'pong') resolve(() => socket.terminate())
      if (type === 'error') reject(new Error(String(data)))
      if (type !== 'connection_ack') return
      send({ id: '1', type: 'subscribe', payload: { query: subscription } })
      send({ type: 'ping' })
    })
  })
}

const cpuOf = async (service: ServerProcess) => (await service.readCpuMs()) ?? Number.NaN
const rssOf = async (service: ServerProcess) => (await service.readRssMb()) ?? Number.NaN

/** Measures what a client receives for each write, and how long after the response to the write. */
async function measureEvents(
  service: ServerProcess,
  target: LoadTarget,
  events: number,
  next: Audience['next'] | undefined,
) {
  const waits: number[] = []
  const cpuBefore = await cpuOf(service)
  for (let event = 0; event < events; event++) {
    const told = next?.()
    const slug = `article-${next === undefined ? 'alone' : 'told'}-${event}`
    const body = { title: 'An article', slug, rank: 0, body: 'Text.' }
    const { data } = await call<{ id: number }>(target, '/api/content/article', { method: 'POST', body })
    await call(target, `/api/content/article/${data.id}/publish`, { method: 'PUT' })
    const committedAt = performance.now()
    for (const time of (await told) ?? []) waits.push(time - committedAt)
    await sleep(300)
  }
  const cpuMs = ((await cpuOf(service)) - cpuBefore) / events
  return { cpuMs, waits: waits.sort((left, right) => left - right) }
}

/** Measures the cost of many streams with occasional events. */
async function main(args: readonly string[]): Promise<void> {
  const options = readOptions(args)
  assertFiles(options.clients)
  const { node, load } = describeMachine()
  const cleanup = createCleanup()
  try {
    const { service, target } = await start(options, cleanup)
    console.log(`Node ${node}, load before ${load.toFixed(1)}, ${options.database}\n`)
    const alone = await measureEvents(service, target, options.events, undefined)
    const rssBefore = await rssOf(service)
    const startedAt = performance.now()
    const { cut, next } = await openAll(service.url, options.clients, options.open)
    cleanup.add(async () => cut())
    const openedMs = performance.now() - startedAt
    const rss = await rssOf(service)
    const idleBefore = await cpuOf(service)
    await sleep(10_000)
    const idle = ((await cpuOf(service)) - idleBefore) / 100
    const { cpuMs, waits } = await measureEvents(service, target, options.events, next)
    const at = (share: number) => (waits[Math.floor((waits.length - 1) * share)] ?? Number.NaN).toFixed(0)
    const rows = [
      [`${options.clients} streams`, ''],
      ['opened in', `${openedMs.toFixed(0)} ms`],
      ['memory of each', `${(((rss - rssBefore) * 1024) / options.clients).toFixed(1)} KB`],
      ['memory more after all events', `${((await rssOf(service)) - rss).toFixed(0)} MB`],
      ['% of a core while nothing happens', idle.toFixed(1)],
      ['processor time of an event', `${(cpuMs - alone.cpuMs).toFixed(0)} ms`],
      ['from the commit to a client, median', `${at(0.5)} ms`],
      ['p99', `${at(0.99)} ms`],
      ['last', `${at(1)} ms`],
    ]
    console.log(formatTable(rows))
  } finally {
    await cleanup.run()
  }
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error)
  process.exitCode = 1
})
