import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { v7 as newUuid } from 'uuid'
import type { Driver } from '../../core-plugins/database/driver.ts'
import { type CrashWorld, crashTest, type Running, type Scenario } from './crash-test.ts'
import type { LoadClient } from './load.ts'

const schemas = {
  'note.json': {
    kind: 'collectionType',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes: {
      text: { type: 'string' },
      next: { type: 'relation', relation: 'manyToOne', target: 'note' },
    },
  },
}

/** So many that most kills meet the transaction. */
const notes = 60
const source = '0198c0de-0000-7000-8000-000000000001'

interface Package {
  readonly id: string
  readonly lines: string
}

/** Sends packages of new notes in a circle, each again until it is known to be applied. */
async function createScenario(world: CrashWorld, { client }: Running): Promise<Scenario> {
  const { body } = await client.get('/api/admin/transfer')
  const target: string = body.data.environment
  let applied = 0
  let unsure: Package | undefined

  async function apply(made: Package, { client: own }: Pick<LoadClient, 'client'>): Promise<void> {
    const path = `/api/admin/transfer/packages/${made.id}`
    const state = await own.get(path)
    if (state.body.data.result === null && state.body.data.received < made.lines.length) {
      const { received } = state.body.data
      const sent = await own.put(`${path}?offset=${received}`, made.lines.slice(received))
      assert.equal(sent.status, 200, JSON.stringify(sent.body))
    }
    const { status, body: answer } = await own.post(`${path}/apply`)
    assert.equal(status, 200, JSON.stringify(answer))
    assert.equal(answer.data.sections['content:note'].put, notes)
    unsure = undefined
    applied++
  }

  return {
    clients: 1,
    async work(load) {
      if (unsure !== undefined) await apply(unsure, load)
      while (!load.isOver()) {
        unsure = newPackage(target)
        load.acknowledge()
        await apply(unsure, load)
      }
    },
    async check([first]) {
      if (unsure !== undefined) await apply(unsure, first as Running)
      assert.deepEqual(await world.look(stored), {
        notes: applied * notes,
        linked: applied * notes,
        packages: applied,
      })
    },
    async finish() {
      assert.ok(applied > 0, 'nothing was transferred')
    },
  }
}

function newPackage(target: string): Package {
  const keys = Array.from({ length: notes }, () => newUuid())
  const lines = [
    { format: 1, environment: source, target, missing: 'refuse' },
    ...keys.map((key, index) => ({
      ...{ section: 'content:note', key, action: 'put', before: null, source: 'x'.repeat(43) },
      value: { data: { text: `note ${index}`, next: keys[(index + 1) % notes] } },
    })),
  ]
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  return { id: createHash('sha256').update(text).digest('hex'), lines: text }
}

async function stored(database: Driver) {
  const count = async (text: ReturnType<typeof sql>) => {
    const statement = database.prepare<{ count: number }>(text, { count: 'integer' })
    return (await database.get(statement))?.count ?? 0
  }
  return {
    notes: await count(sql`select count(*) as count from content_note`),
    linked: await count(sql`select count(*) as count from content_note where next_id is not null`),
    packages: await count(sql`select count(*) as count from svc_transfer_packages`),
  }
}

crashTest('transferring', { project: { schemas }, kills: 6, create: createScenario })
