import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { runBench } from '../../bench/bench.ts'
import { createCleanup } from '../../bench/cleanup.ts'
import { autocannonLoader, counterMarker, type Load } from '../../bench/load.ts'
import { readCommand } from '../../bench/options.ts'
import { type BenchResult, formatResult } from '../../bench/report.ts'
import { scenarios } from '../../bench/scenarios.ts'
import { adapters } from '../support/adapters.ts'
import { slow } from '../support/scope.ts'

const options = {
  ...{ database: 'sqlite' as const, rows: 300, rounds: 1, seconds: 0.2, warmUpSeconds: 0.1, connections: 4 },
  ...{ boots: 1, zoneWrites: 2, withHeaders: false, adapter: adapters[0] },
}

const requestsOfALoad = 4
let sent = 0

/** A few requests of each kind, since it is asked whether scenarios work, not how fast. */
const sendFew: Load = async ({ url, token }, { requests }) => {
  const chosen = requests.slice(0, requestsOfALoad)
  const startedAt = performance.now()
  for (const { method, path, body } of chosen) {
    const numbered = body?.replace(counterMarker, String(++sent).padStart(counterMarker.length, '0'))
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const { ok, status } = await fetch(url + path, { method, headers, ...(numbered && { body: numbered }) })
    assert.ok(ok, `${method} ${path}: ${status}`)
  }
  const ms = performance.now() - startedAt
  const each = ms / chosen.length
  return { requests: chosen.length, requestsPerSecond: 1000 / each, p50Ms: each, p99Ms: each }
}

/** As in a real run the first time. */
const load: Load = (target, options) =>
  sent++ === 0 ? autocannonLoader.load(target, options) : sendFew(target, options)

describe('a benchmark run', slow, () => {
  const cleanup = createCleanup()
  let result: BenchResult

  before(async () => {
    result = await runBench({
      options,
      scenarios,
      loader: { ...autocannonLoader, load },
      say: () => {},
      cleanup,
    })
  })
  after(() => cleanup.run())

  it('measures every scenario on the service and on the floor', () => {
    assert.deepEqual(
      result.scenarios.map(({ name }) => name),
      scenarios.map(({ name }) => name),
    )
    for (const { service, floor, ratio } of result.scenarios) {
      assert.ok(service.requests > 0)
      assert.ok(floor.requests > 0)
      assert.ok(ratio > 0)
    }
  })

  it('measures the start, zones and cursor pages', () => {
    assert.ok(result.boot.bootMs > 0)
    assert.deepEqual(
      result.zones.map(({ operation }) => operation),
      ['update', 'publish'],
    )
    assert.deepEqual(
      result.cursors.map(({ sort }) => sort),
      ['id', 'rank:desc'],
    )
  })

  it('prints a line for everything', () => {
    const text = formatResult(result)
    for (const { title } of scenarios) assert.ok(text.includes(title), title)
    for (const word of ['boot', 'memory', 'zone', 'cursor']) assert.ok(text.includes(word), word)
  })
})

describe('the command line of the benchmark', () => {
  it('measures 10,000 articles on SQLite unless told otherwise', () => {
    const { options, isProfile, ...command } = readCommand([])
    assert.equal(options.database, 'sqlite')
    assert.equal(options.rows, 10_000)
    assert.equal(isProfile, false)
    assert.deepEqual(command.scenarios, scenarios)
  })

  it('takes a database, rows and scenarios', () => {
    const { options, ...command } = readCommand([
      '--db',
      'postgres',
      '--rows',
      '1000000',
      '--only',
      'list,entry',
    ])
    assert.equal(options.database, 'postgres')
    assert.equal(options.rows, 1_000_000)
    assert.deepEqual(
      command.scenarios.map(({ name }) => name),
      ['list', 'entry'],
    )
  })

  for (const [args, name] of [
    [['--db', 'oracle'], 'db'],
    [['--adapter', 'apache'], 'adapter'],
    [['--rows', '-1'], 'rows'],
    [['--rows', 'many'], 'rows'],
    [['--only', 'list,nothing'], 'only'],
    [['--unknown'], 'unknown'],
  ] as const) {
    it(`names the argument that is wrong: ${args.join(' ')}`, () => {
      assert.throws(() => readCommand(args), new RegExp(`--${name}`))
    })
  }
})
