import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { DialectName } from '../core-plugins/foundation/database/database.ts'
import { type Cleanup, createCleanup } from './cleanup.ts'
import { call, mapConcurrently } from './client.ts'
import { articleInput } from './data.ts'
import { analyzeDatabase, createDatabase, readDatabase } from './database.ts'
import { fillService } from './fill.ts'
import { counterMarker, findLoader, type Load, type LoadRequest, type LoadTarget } from './load.ts'
import { type Adapter, readAdapter } from './options.ts'
import { describeMachine, formatTable } from './report.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { createToken, type ServiceOptions, signIn, startService } from './service.ts'
import { median } from './throughput.ts'
import { createFolder, schemasFolder } from './workspace.ts'

const usage = `npm run bench -- cache [options]
  --db sqlite|postgres|mysql   the database (sqlite)
  --adapter hyper-express|node-http   answers from memory of that server only, and nothing else
  --rounds N                   (5)
  --seconds N                  of one measurement (3)`

interface Options {
  readonly database: DialectName
  /** Undefined: both adapters, and the cost of misses and writes. */
  readonly adapter: Adapter | undefined
  readonly rounds: number
  readonly seconds: number
}

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      db: { type: 'string', default: 'sqlite' },
      adapter: { type: 'string' },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '3' },
    },
  })
  const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)]
  if (!(rounds > 0 && seconds > 0)) throw new Error(usage)
  const adapter = values.adapter === undefined ? undefined : readAdapter(values.adapter)
  return { database: readDatabase(values.db), adapter, rounds, seconds }
}

const articles = 1_000
const connections = 32
const echoScripts: Readonly<Record<Adapter, URL>> = {
  'hyper-express': new URL('./cache/echo-uws.ts', import.meta.url),
  'node-http': new URL('./cache/echo-node-http.ts', import.meta.url),
}
const listPath = '/api/content/article?fields=title,slug,rank,author&sort=id:desc&limit=10'

/** One of two servers that get the same requests. */
interface Side {
  readonly name: string
  readonly server: ServerProcess
  readonly token: string
}

interface Measured {
  readonly perSecond: number
  readonly cpuUs: number
}

interface World {
  readonly options: Options
  readonly load: Load
  readonly cleanup: Cleanup
  readonly folder: string
  /** Starts a service on the filled database. */
  start(adapter: Adapter, pluginsDisabled: string): Promise<ServerProcess>
  readonly token: string
}

async function measure(
  { options, load }: World,
  side: Side,
  requests: readonly LoadRequest[],
): Promise<Measured> {
  const before = (await side.server.readCpuMs()) ?? Number.NaN
  const target = { url: side.server.url, token: side.token }
  const { requestsPerSecond, requests: count } = await load(target, {
    requests,
    connections,
    seconds: options.seconds,
  })
  const after = (await side.server.readCpuMs()) ?? Number.NaN
  return { perSecond: requestsPerSecond, cpuUs: ((after - before) * 1000) / count }
}

/** Measures both in turn; returns a row: name, requests per second of both, and their ratio. */
async function compare(
  world: World,
  title: string,
  sides: readonly [Side, Side],
  requestsOf: (round: number) => readonly LoadRequest[],
): Promise<string[]> {
  const results: [Measured, Measured][] = []
  for (const side of sides) await measure(world, side, requestsOf(-1))
  for (let round = 0; round < world.options.rounds; round++) {
    const isTurned = round % 2 === 1
    const first = await measure(world, sides[isTurned ? 1 : 0], requestsOf(round))
    const second = await measure(world, sides[isTurned ? 0 : 1], requestsOf(round))
    results.push(isTurned ? [second, first] : [first, second])
  }
  const perSecond = (side: 0 | 1) => median(results.map((result) => result[side].perSecond)).toFixed(0)
  const cpu = (side: 0 | 1) => median(results.map((result) => result[side].cpuUs)).toFixed(1)
  const ratio = median(results.map(([one, other]) => one.perSecond / other.perSecond)).toFixed(2)
  const cpuRatio = median(results.map(([one, other]) => other.cpuUs / one.cpuUs)).toFixed(2)
  const row = [title, `${sides[0].name} / ${sides[1].name}`, `${perSecond(0)} / ${perSecond(1)}`, ratio]
  console.error(row.join('  '))
  return [...row, `${cpu(0)} / ${cpu(1)}`, cpuRatio]
}

const bareNames: Readonly<Record<Adapter, string>> = {
  'hyper-express': 'uWebSockets',
  'node-http': 'node:http',
}

/** Records a server's response, for the echo server to send. */
async function recordAnswer(url: string, { path, headers = {} }: LoadRequest, token: string) {
  const credentials: Record<string, string> = token === '' ? {} : { authorization: `Bearer ${token}` }
  const send = () =>
    fetch(url + path, { headers: { ...credentials, 'accept-encoding': 'identity', ...headers } })
  for (let times = 0; times < 3; times++) await (await send()).arrayBuffer()
  const answer = await send()
  const left = new Set([
    'date',
    'connection',
    'keep-alive',
    'content-length',
    'transfer-encoding',
    'uwebsockets',
  ])
  return {
    status: `${answer.status} ${answer.statusText}`,
    headers: [...answer.headers].filter(([name]) => !left.has(name)),
    body: await answer.text(),
  }
}

async function startEcho(
  world: World,
  adapter: Adapter,
  name: string,
  answer: object,
): Promise<ServerProcess> {
  const file = join(world.folder, `${name}.json`)
  await writeFile(file, JSON.stringify(answer))
  const server = await startServer({
    nodeArguments: [...process.execArgv, fileURLToPath(echoScripts[adapter])],
    readyPath: '/ready',
    folder: world.folder,
    logFile: join(world.folder, `${name}.log`),
    environment: { ANSWER_FILE: file },
  })
  world.cleanup.add(server.stop)
  return server
}

/** Compares cached responses with a bare server that sends the same bytes. */
async function compareHits(
  world: World,
  adapter: Adapter,
  cached: ServerProcess,
  readToken: string,
): Promise<string[][]> {
  const tag = (await fetch(cached.url + listPath)).headers.get('etag') ?? ''
  const list: LoadRequest = { method: 'GET', path: listPath }
  const entry: LoadRequest = { method: 'GET', path: '/api/content/article/7' }
  const known: LoadRequest = { ...list, headers: { 'if-none-match': tag } }
  const cases = [
    ['list of 10, anonymous', list, ''],
    ['one entry, anonymous', entry, ''],
    ['list of 10, token', list, readToken],
    ['304, anonymous', known, ''],
  ] as const
  const rows: string[][] = []
  for (const [title, request, token] of cases) {
    const answer = await recordAnswer(cached.url, request, token)
    const echo = await startEcho(world, adapter, title.replaceAll(/\W+/g, '-'), answer)
    const sides = [
      { name: 'cache', server: cached, token },
      { name: `bare ${bareNames[adapter]}`, server: echo, token },
    ] as const
    rows.push(await compare(world, title, sides, () => [request]))
    await echo.stop()
  }
  return rows
}

/** Compares `node:http` with the native server. */
function compareAdapters(world: World, node: ServerProcess, native: ServerProcess): Promise<string[]> {
  const sides = [
    { name: 'node:http', server: node, token: '' },
    { name: 'native', server: native, token: '' },
  ] as const
  return compare(world, 'list of 10, anonymous', sides, () => [{ method: 'GET', path: listPath }])
}

/** The cost of the cache for reads that are never repeated and for writes, with and without the plugins. */
async function compareCosts(world: World, cached: ServerProcess, token: string): Promise<string[][]> {
  const uncached = await world.start('hyper-express', 'cache')
  const misses = (round: number): LoadRequest[] => {
    const path = `${listPath}&filters[title][$ne]=${round}-${counterMarker}`
    return [{ method: 'GET', path }]
  }
  const sidesTo = (server: ServerProcess, name: string, by: string) =>
    [
      { name: 'cache', server: cached, token: by },
      { name, server, token: by },
    ] as const
  const rows = [await compare(world, 'misses', sidesTo(uncached, 'without', ''), misses)]
  await uncached.stop()
  const unlogged = await world.start('hyper-express', 'cache,changes,change-feed,live,cdn')
  const creates = (): LoadRequest[] => {
    measurements += 1
    const body = JSON.stringify(articleInput(1, `m${measurements}-${counterMarker}`))
    return [{ method: 'POST', path: '/api/content/article', body }]
  }
  let measurements = 0
  rows.push(await compare(world, 'creates', sidesTo(unlogged, 'no log', token), creates))
  await unlogged.stop()
  return rows
}

async function createReadToken(service: ServerProcess): Promise<string> {
  const { data } = await call<{ token: string }>(
    { url: service.url, token: await signIn(service) },
    '/api/admin/api-tokens',
    { method: 'POST', body: { name: 'reader', scopes: ['content:read'] } },
  )
  return data.token
}

async function publishAll(target: LoadTarget): Promise<void> {
  const ids = Array.from({ length: articles }, (_, index) => index + 1)
  await mapConcurrently(ids, 8, (id) => call(target, `/api/content/article/${id}/publish`, { method: 'PUT' }))
}

/** Makes the filled-in content public. */
async function openToAll(service: ServerProcess): Promise<void> {
  const target = { url: service.url, token: await signIn(service) }
  const { data: roles } = await call<{ id: number; name: string }[]>(target, '/api/admin/roles')
  const id = roles.find(({ name }) => name === 'public')?.id
  const permissions = { content: { '*': { read: true } }, media: {} }
  await call(target, `/api/admin/roles/${id}`, { method: 'PUT', body: { permissions } })
}

async function measureAll(world: World, cached: ServerProcess): Promise<string[][]> {
  const { options, token } = world
  const readToken = await createReadToken(cached)
  const hits = await compareHits(world, options.adapter ?? 'hyper-express', cached, readToken)
  if (options.adapter !== undefined) return hits
  const node = await world.start('node-http', '')
  const hitsOfNode = await compareHits(world, 'node-http', node, readToken)
  const beside = await compareAdapters(world, node, cached)
  await node.stop()
  return [...hits, ...hitsOfNode, beside, ...(await compareCosts(world, cached, token))]
}

async function main(args: readonly string[]): Promise<void> {
  const options = readOptions(args)
  const cleanup = createCleanup()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void cleanup.run().finally(() => process.exit(1)))
  }
  try {
    const folder = await createFolder(cleanup)
    const database = await createDatabase(options.database, folder)
    cleanup.add(database.drop)
    const service: ServiceOptions = { databaseUrl: database.url, schemasFolder, folder }
    const start: World['start'] = async (adapter, pluginsDisabled) => {
      const started = await startService({
        ...{ ...service, adapter },
        environment: { SVC_PLUGINS_DISABLED: pluginsDisabled },
      })
      cleanup.add(started.stop)
      return started
    }
    const cached = await start(options.adapter ?? 'hyper-express', '')
    const token = await createToken(cached)
    await fillService({ url: cached.url, token }, articles)
    await publishAll({ url: cached.url, token })
    await openToAll(cached)
    await analyzeDatabase(options.database, database.url)
    const world: World = { options, load: (await findLoader()).load, cleanup, folder, start, token }
    const rows = await measureAll(world, cached)
    const head = ['', 'sides', 'requests/s', 'ratio', 'cpu µs', 'cpu ratio']
    const machine = describeMachine()
    console.log(
      `${options.database}, ${articles} articles, ${machine.cores} cores, load ${machine.load.toFixed(1)}`,
    )
    console.log(formatTable([head, ...rows]))
  } finally {
    await cleanup.run()
  }
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message)
  process.exitCode = 1
})
