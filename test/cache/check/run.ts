import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Cleanup, createCleanup } from '../../../bench/cleanup.ts'
import { createDatabase, readDatabase } from '../../../bench/database.ts'
import type { ServerProcess } from '../../../bench/server-process.ts'
import { type ServiceOptions, signIn, startService } from '../../../bench/service.ts'
import { createFolder } from '../../../bench/workspace.ts'
import { expectStatus, newApiToken, newUser, type SigningIn } from '../../api/auth-callers.ts'
import { type Answer, type Client, createClient } from '../../support/client.ts'
import { until } from '../../support/until.ts'
import { createRandomWrites, type RandomWrites, randomFrom, reads } from '../random-writes.ts'
import { makeReaders, openToReaders, writeSchemas } from '../world.ts'
import { type CountedRead, countedReadsOf, type Sight } from './counted-reads.ts'
import { type CountedWorld, createCountedWorld } from './counted-world.ts'
import { Findings } from './findings.ts'
import { type FaultyProcess, startFaulty } from './processes.ts'
import { ask, closeConnections, type RawAnswer, type Read } from './reader.ts'

/*
 * Three processes that keep answers, and one that keeps none, on one database. Again and again: while entries are written
 * in all ways by all processes, and one of these is killed or frozen, everything is read by all sorts of callers, and what
 * is told of entries whose every version is known is looked at. Then the writers pause, and what every process answers to
 * every read of every caller is compared with what the fourth one says. Every tenth time a backup is restored meanwhile.
 * One of the processes has no signals.
 */
const usage = `npm run check:cache -- [options]
  --db sqlite|postgres|mysql   the database (sqlite)
  --reads N                    answers to be checked (1000000)
  --minutes N                  at most (60)
  --staleness MS               cache.maxStalenessMs; 0: no answer may be stale (0)
  --seed N                     of what is drawn by chance (the time)`

interface Options {
  readonly database: ReturnType<typeof readDatabase>
  readonly reads: number
  readonly minutes: number
  readonly stalenessMs: number
  readonly seed: number
}

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      db: { type: 'string', default: 'sqlite' },
      reads: { type: 'string', default: '1000000' },
      minutes: { type: 'string', default: '60' },
      staleness: { type: 'string', default: '0' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    },
  })
  const [count, minutes, stalenessMs, seed] = [
    values.reads,
    values.minutes,
    values.staleness,
    values.seed,
  ].map(Number) as [number, number, number, number]
  if (!(count > 0 && minutes > 0 && stalenessMs >= 0 && seed >= 0)) throw new Error(usage)
  return { database: readDatabase(values.db), reads: count, minutes, stalenessMs, seed }
}

const stormMs = 8_000
const readersOfProcess = 4
const countedWriters = 3
const randomWriters = 2
/** Of reads during a storm: the others fill memory with all that may go wrong. */
const lookedShare = 0.7
const restoreEvery = 10
/** How often each process is asked the same in a pause. */
const askedTimes = 16
const comparersAtOnce = 6
/** Other processes hear of rights within a second. */
const rightsMs = 1_100
/** Their answers are made with everything that was acknowledged before, whatever the bound. */
const strictCallers = new Set(['drafts', 'writer', 'editor'])

interface World {
  readonly options: Options
  readonly random: () => number
  readonly findings: Findings
  readonly processes: readonly FaultyProcess[]
  readonly plain: ServerProcess
  readonly tokens: Map<string, string | undefined>
  readonly service: SigningIn
  readonly admin: Client
  readonly counted: CountedWorld
  readonly countedReads: readonly CountedRead[]
  readonly others: RandomWrites
}

async function startWorld(options: Options, cleanup: Cleanup): Promise<World> {
  const random = randomFrom(options.seed)
  const folder = await createFolder(cleanup)
  const database = await createDatabase(options.database, folder)
  cleanup.add(database.drop)
  const schemasFolder = writeSchemas(folder)
  const start = (disabled: string): ServiceOptions => ({
    ...{ databaseUrl: database.url, schemasFolder, folder },
    environment: {
      SVC_PLUGINS_DISABLED: disabled,
      SVC_CACHE_MAX_STALENESS_MS: String(options.stalenessMs),
      SVC_CACHE_AUDIT_EVERY: '500',
      SVC_LOCALIZATION_LOCALES: '["en","de"]',
      SVC_OVERLOAD_ENABLED: 'false',
      JWT_EXPIRES_IN: '7d',
    },
  })
  const plain = await startService(start('cache'))
  cleanup.add(plain.stop)
  const processes: FaultyProcess[] = []
  for (const disabled of ['', '', 'signals']) {
    const process = await startFaulty(start(disabled))
    cleanup.add(process.stop)
    processes.push(process)
  }
  const first = createClient(plain.url, await signIn(plain))
  const service = { ...createClient(plain.url), url: plain.url, admin: first }
  await openToReaders(first)
  const tokens = new Map(await makeReaders(service))
  const { token } = await newApiToken(service, ['admin:*'])
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
  const admin = clientOfAny(() => pick([...processes.map(({ url }) => url), plain.url]), token)
  const counted = await createCountedWorld(random, admin)
  const others = createRandomWrites(random, [admin])
  await others.fill()
  await delay(rightsMs)
  return {
    ...{ options, random, processes, plain, tokens, service, admin, counted, others },
    findings: new Findings(),
    countedReads: countedReadsOf(counted),
  }
}

/** Sends each request to another process; answers that do not come have the status 0. */
function clientOfAny(urlNow: () => string | undefined, token: string): Client {
  const none: Answer = { status: 0, headers: new Headers(), body: {} }
  const request: Client['request'] = async (method, path, options) => {
    const url = urlNow()
    if (url === undefined) return none
    return createClient(url, token)
      .request(method, path, options)
      .catch(() => none)
  }
  return {
    request,
    get: (path, options) => request('GET', path, options),
    post: (path, body, options) => request('POST', path, { ...options, body }),
    put: (path, body, options) => request('PUT', path, { ...options, body }),
    patch: (path, body, options) => request('PATCH', path, { ...options, body }),
    delete: (path, body, options) => request('DELETE', path, { ...options, body }),
  }
}

/** Reads one of all things; if its versions are known, looks at what it shows. */
async function readOnce(world: World, process: FaultyProcess): Promise<void> {
  const { random, tokens, countedReads, findings } = world
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
  const { url } = process
  if (url === undefined) return void (await delay(20))
  if (random() > lookedShare) {
    await ask(url, { path: pick(reads) }, tokens.get(pick([...tokens.keys()])))
    return
  }
  const read = pick(countedReads)
  const caller = pick(read.callers)
  const begunMs = performance.now()
  const token = tokens.get(caller)
  const answer = await ask(url, read, token)
  const isSignedOut = answer?.status === 401 && token !== tokens.get(caller)
  if (answer === undefined || answer.status >= 500 || isSignedOut) findings.unavailable += 1
  else look(world, { read, caller, answer, begunMs, endedMs: performance.now() })
}

interface Looked {
  readonly read: CountedRead
  readonly caller: string
  readonly answer: RawAnswer
  readonly begunMs: number
  readonly endedMs: number
}

function look({ findings, options }: World, { read, caller, answer, begunMs, endedMs }: Looked): void {
  const acknowledgedMs = begunMs - (strictCallers.has(caller) ? 0 : options.stalenessMs)
  findings.checked.looked += 1
  if (answer.isHit) findings.hits += 1
  const wrong = (what: string) =>
    findings.violation(
      `${what}: ${read.query ?? read.path} as ${caller}, asked ${begunMs.toFixed(0)} to ${endedMs.toFixed(0)}, ` +
        `${answer.isHit ? 'hit' : 'made'}: ${answer.status} ${answer.body.slice(0, 600)}`,
    )
  const sight: Sight = {
    shows(register, what, isShown) {
      if (!register.allowed(acknowledgedMs, endedMs).some(isShown)) wrong(`${what} was ${register}`)
      findings.stale(register.staleness(isShown, begunMs))
    },
    adds(registers, what, of, sum) {
      const parts = registers.map((register) => register.allowed(acknowledgedMs, endedMs).map(of))
      const [least, most] = [Math.min, Math.max].map((end) =>
        parts.reduce((whole, each) => whole + end(...each), 0),
      ) as [number, number]
      if (sum < least || sum > most) wrong(`${what} is ${sum}, not between ${least} and ${most}`)
    },
  }
  if (answer.status === 404) read.look(undefined, sight)
  else if (answer.status === 200) read.look(JSON.parse(answer.body), sight)
  else wrong(`status ${answer.status}`)
}

/** Everybody writes and reads until it is over; one process has bad luck. */
async function storm(world: World, restore: (() => Promise<void>) | undefined): Promise<void> {
  const { counted, others, processes, random } = world
  let isWriting = true
  let isReading = true
  const repeat = async (goesOn: () => boolean, work: () => Promise<unknown>) => {
    while (goesOn()) await work()
  }
  const pause = () => delay(random() * 60)
  const kinds = [
    ...Array.from({ length: countedWriters }, () => counted.write),
    ...Array.from({ length: randomWriters }, () => () => others.next().then(pause)),
  ]
  const writers = () =>
    kinds.map((write) =>
      repeat(
        () => isWriting,
        () => write().then(pause),
      ),
    )
  const end = async () => {
    await delay(stormMs)
    isWriting = false
  }
  async function writing(): Promise<void> {
    try {
      await Promise.all([...writers(), badLuck(world), end()])
      await restore?.()
    } finally {
      isWriting = false
      isReading = false
    }
  }
  const readers = processes.flatMap((process) =>
    Array.from({ length: readersOfProcess }, () =>
      repeat(
        () => isReading,
        () => readOnce(world, process),
      ),
    ),
  )
  await Promise.all([writing(), ...readers])
}

async function badLuck({ processes, random, findings, options }: World): Promise<void> {
  const process = processes[Math.floor(random() * processes.length)] as FaultyProcess
  await delay(random() * 1_000)
  const draw = random()
  if (draw < 0.25) {
    findings.faults.kills += 1
    await process.replace()
  } else if (draw < 0.5) {
    findings.faults.freezes += 1
    await process.freeze(options.stalenessMs + 500 + random() * 1_000)
  }
}

/** Makes a backup, to be restored at the end of a storm. */
async function prepareRestore({
  admin,
  counted,
  findings,
  service,
  tokens,
}: World): Promise<() => Promise<void>> {
  const { id } = expectStatus(await admin.post('/api/admin/backups', { name: 'check' }), 201).body.data
  const begin = counted.remember()
  return async () => {
    const writes = begin()
    // Ends the sessions of users, who read without an account until they have signed in again.
    tokens.delete('user')
    // No process is gone any more.
    expectStatus(await admin.post(`/api/admin/backups/${id}/restore`, {}), 200)
    // What is found by words follows in a job.
    await until(async () => (await openJobs(admin, 'search.reindex')) === 0, 'a search index')
    writes.done()
    tokens.set('user', (await newUser(service)).token)
    findings.faults.restores += 1
    expectStatus(await admin.delete(`/api/admin/backups/${id}`), 200)
  }
}

async function openJobs(admin: Client, name: string): Promise<number> {
  const counts = (await admin.get('/api/admin/jobs/stats')).body.data?.byName?.[name]
  return counts === undefined ? 0 : counts.waiting + counts.delayed + counts.active
}

/** Takes the right to read a type from those without an account, or gives it back. */
async function changeRights({ admin }: World, maySeeTags: boolean): Promise<void> {
  const roles = expectStatus(await admin.get('/api/admin/roles'), 200).body.data
  const { id, permissions } = roles.find(({ name }: { name: string }) => name === 'public')
  const content = { ...permissions.content, tag: { read: maySeeTags } }
  expectStatus(await admin.put(`/api/admin/roles/${id}`, { permissions: { ...permissions, content } }), 200)
  await delay(rightsMs)
}

/** While nobody writes, every process must answer what the one without memory says. */
async function compareAll(world: World): Promise<void> {
  const { tokens, countedReads } = world
  const all = [...reads.map((path): Read => ({ path })), ...countedReads]
  const wanted = [...tokens].flatMap(([caller, token]) => all.map((read) => ({ caller, token, read })))
  const next = wanted[Symbol.iterator]()
  const work = async () => {
    for (const { caller, token, read } of next) await compare(world, read, caller, token)
  }
  await Promise.all(Array.from({ length: comparersAtOnce }, work))
}

async function compare(world: World, read: Read, caller: string, token: string | undefined): Promise<void> {
  const { plain, processes, findings } = world
  let expected = await ask(plain.url, read, token)
  for (let times = 0; times < askedTimes; times++) {
    for (const [place, process] of processes.entries()) {
      const answer = await ask(process.url ?? '', read, token)
      if (answer === undefined || answer.status >= 500) {
        findings.unavailable += 1
        continue
      }
      findings.checked.compared += 1
      if (answer.isHit) findings.hits += 1
      if (answer.comparable === expected?.comparable) continue
      // What is to be said may have changed by itself, as jobs run.
      const before = expected
      expected = await ask(plain.url, read, token)
      const again = await ask(process.url ?? '', read, token)
      if (before?.comparable !== expected?.comparable && again?.comparable === expected?.comparable) continue
      findings.violation(
        `${read.query ?? read.path} as ${caller} in process ${place} (${answer.isHit ? 'hit' : 'made'}):\n` +
          `${answer.comparable.slice(0, 1_500)}\ninstead of\n${before?.comparable.slice(0, 1_500)}`,
      )
    }
  }
}

async function main(args: readonly string[]): Promise<void> {
  const options = readOptions(args)
  console.log(JSON.stringify(options))
  const cleanup = createCleanup()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void cleanup.run().finally(() => process.exit(1)))
  }
  cleanup.add(async () => closeConnections())
  try {
    const world = await startWorld(options, cleanup)
    const { findings } = world
    const endsMs = performance.now() + options.minutes * 60_000
    for (let round = 1; findings.total < options.reads && performance.now() < endsMs; round++) {
      const restore = round % restoreEvery === 0 ? await prepareRestore(world) : undefined
      await storm(world, restore)
      await changeRights(world, round % 2 === 0)
      // Entries of others may become public by themselves, or be a little old.
      await delay(options.stalenessMs + 500)
      await compareAll(world)
      console.log(`${new Date().toISOString()} round ${round}\n${findings}`)
    }
    const { data } = (await world.admin.get('/api/admin/operational-alerts')).body
    const alarms = (data ?? []).filter(({ kind }: { kind: string }) => kind === 'cache_wrong')
    if (alarms.length > 0) findings.violation(`the service says so itself: ${JSON.stringify(alarms)}`)
    process.exitCode = findings.violations.length > 0 ? 1 : 0
  } finally {
    await cleanup.run()
  }
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error)
  process.exitCode = 1
})
