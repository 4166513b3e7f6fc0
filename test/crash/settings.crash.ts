import assert from 'node:assert/strict'
import { sql } from 'drizzle-orm'
import type { Client } from '../support/client.ts'
import { type CrashWorld, crashTest, type Running, type Scenario } from './crash-test.ts'
import { eventually } from './eventually.ts'
import type { LoadClient, Work } from './load.ts'

type Values = Readonly<Record<string, unknown>>

/** Two settings that one client always changes together; both tell the number of the change. */
type Pair = (count: number) => Values

/** A locale of its own for each number. */
function localeOf(count: number): string {
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  return `q${letters[Math.floor(count / 26) % 26]}${letters[count % 26]}`
}

const pairs: readonly Pair[] = [
  (count) => ({ 'site.name': `name ${count}`, 'site.description': `description ${count}` }),
  (count) => ({ 'api.rateLimit.max': 1_000 + count, 'api.rateLimit.window': 1_000 + count }),
  (count) => ({ 'advanced.jobs.retentionDays': 1 + count, 'advanced.audit.retentionDays': 1 + count }),
  // The service itself refuses values that do not agree.
  (count) => ({
    'localization.locales': ['en', localeOf(count)],
    'localization.defaultLocale': localeOf(count),
  }),
]

/** What a pair may be after a crash: as it was acknowledged last, or as a request without an answer asked for. */
class PairState {
  readonly #pair: Pair
  #count = 0
  /** Undefined for a request without an answer. */
  #acknowledged: Values
  #asked: Values | undefined

  constructor(pair: Pair) {
    this.#pair = pair
    this.#acknowledged = this.#nothing()
  }

  /** The next change; now and then both are reset. */
  next({ random }: LoadClient): Values {
    this.#count++
    return random.chance(0.1) && !this.#isReset() ? this.#nothing() : this.#pair(this.#count)
  }

  ask(values: Values): void {
    this.#asked = values
  }

  acknowledge(values: Values): void {
    this.#acknowledged = values
    this.#asked = undefined
  }

  /** @returns whether the request without an answer was carried out */
  settle(stored: Values): boolean {
    const shown = Object.fromEntries(Object.keys(this.#pair(0)).map((key) => [key, stored[key] ?? null]))
    const asked = this.#asked
    this.#asked = undefined
    if (asked !== undefined && isSame(shown, asked)) {
      this.#acknowledged = asked
      return true
    }
    assert.deepEqual(shown, this.#acknowledged)
    return false
  }

  /** A request has had no answer. */
  get isOpen(): boolean {
    return this.#asked !== undefined
  }

  get acknowledged(): Values {
    return this.#acknowledged
  }

  #isReset(): boolean {
    return Object.values(this.#acknowledged).includes(null)
  }

  #nothing(): Values {
    return Object.fromEntries(Object.keys(this.#pair(0)).map((key) => [key, null]))
  }
}

const isSame = (left: Values, right: Values) => JSON.stringify(left) === JSON.stringify(right)

interface Shown {
  readonly key: string
  readonly value: unknown
  readonly source: string
}

const shownBy = async (client: Client): Promise<Shown[]> => {
  const { body } = await client.get('/api/admin/config')
  return Object.values(body.data as Record<string, Shown[]>).flat()
}

/** What shows of the database's layer: settings that come from there. */
function databaseLayer(shown: readonly Shown[]): Values {
  const stored = shown.filter(({ source }) => source === 'database')
  return Object.fromEntries(stored.map(({ key, value }) => [key, value]))
}

async function createScenario(world: CrashWorld): Promise<Scenario> {
  const states = pairs.map((pair) => new PairState(pair))
  let changes = 0

  const work: Work = async (load) => {
    const state = states[load.index]
    assert.ok(state)
    while (!load.isOver()) {
      // Of a client that has lost its process.
      await settleOne(state, load.client)
      const values = state.next(load)
      state.ask(values)
      const { status, body } = await load.client.put('/api/admin/config', values)
      assert.equal(status, 200, JSON.stringify(body))
      state.acknowledge(values)
      changes++
      load.acknowledge()
      assertShown(values, Object.values(body.data as Record<string, Shown[]>).flat())
    }
  }

  /** A reload waits for changes that are under way, so that what is stored now is final. */
  async function settleOne(state: PairState, client: Client): Promise<void> {
    if (!state.isOpen) return
    const { status } = await client.post('/api/admin/config/reload')
    assert.equal(status, 200)
    if (state.settle(await storedValues(world))) changes++
  }

  return {
    clients: pairs.length,
    work,
    async check(running) {
      const stored = await storedValues(world)
      for (const state of states) if (state.settle(stored)) changes++
      for (const { client } of running) {
        await eventually(async () => {
          const shown = databaseLayer(await shownBy(client))
          for (const { acknowledged } of states) assertValues(acknowledged, shown)
        })
      }
      await checkAudit(running)
    },
  }

  async function checkAudit([first]: readonly Running[]): Promise<void> {
    const { body } = (await first?.client.get('/api/admin/audit-logs?action=config.update&limit=1')) ?? {}
    assert.equal(body.pagination.total, changes, 'the audit log has every change, and no other one')
  }
}

function assertShown(values: Values, shown: readonly Shown[]): void {
  assertValues(values, databaseLayer(shown))
}

function assertValues(values: Values, shown: Values): void {
  for (const [key, value] of Object.entries(values)) assert.deepEqual(shown[key] ?? null, value, key)
}

async function storedValues(world: CrashWorld): Promise<Values> {
  return world.look(async (database) => {
    const key = sql.identifier('key')
    const rows = await database.all(
      database.prepare<{ key: string; value: unknown }>(
        sql`select ${key}, ${database.dialect.select(sql`value`, 'json')} as ${sql.identifier('value')} from svc_config`,
        { value: 'json' },
      ),
    )
    return Object.fromEntries(rows.map((row) => [row.key, row.value]))
  })
}

crashTest('changing settings', { project: { schemas: {} }, create: createScenario })
