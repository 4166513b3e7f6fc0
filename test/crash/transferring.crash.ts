import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { v7 as newUuid } from 'uuid'
import type { Driver } from '../../core-plugins/foundation/database/driver.ts'
import { type CrashWorld, crashTest, type Running, type Scenario } from './crash-test.ts'
import { eventually } from './eventually.ts'
import type { LoadClient } from './load.ts'
import { expectNoJobs } from './remains.ts'
import { allMedia, createUploadFolder } from './upload-folder.ts'

const schemas = {
  'note.json': {
    kind: 'collectionType',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes: {
      text: { type: 'string' },
      picture: { type: 'media' },
      next: { type: 'relation', relation: 'manyToOne', target: 'note' },
    },
  },
}

/** So many that most kills meet the transaction. */
const notes = 60
/** Each has a file of its own, which is checked and stored before the transaction. */
const pictures = 4
const source = '0198c0de-0000-7000-8000-000000000001'

interface Package {
  readonly id: string
  readonly lines: string
  /** By hash. */
  readonly files: ReadonlyMap<string, string>
}

/** Sends packages of new notes in a circle, with files and a role, each again until it is known to be applied. */
async function createScenario(world: CrashWorld, { client }: Running): Promise<Scenario> {
  const { body } = await client.get('/api/admin/transfer')
  const target: string = body.data.environment
  const files = createUploadFolder(world)
  let applied = 0
  let unsure: Package | undefined

  async function apply(made: Package, { client: own }: Pick<LoadClient, 'client'>): Promise<void> {
    const path = `/api/admin/transfer/packages/${made.id}`
    const state = await own.get(path)
    if (state.body.data.result === null) {
      for (const [hash, text] of made.files) await sendFile(own, hash, text)
    }
    if (state.body.data.result === null && state.body.data.received < made.lines.length) {
      const { received } = state.body.data
      const sent = await own.put(`${path}?offset=${received}`, made.lines.slice(received))
      assert.equal(sent.status, 200, JSON.stringify(sent.body))
    }
    const result = await resultOf(own, path)
    assert.equal(result.sections['content:note'].put, notes)
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
    beforeRestart: files.age,
    async check([first]) {
      const { client: own } = first as Running
      if (unsure !== undefined) await apply(unsure, first as Running)
      assert.deepEqual(await world.look(stored), {
        notes: applied * notes,
        linked: applied * notes,
        pictured: applied * notes,
        files: applied * pictures,
        roles: applied,
        agreements: applied * (notes + pictures + 1),
        packages: applied,
      })
      await eventually(async () => {
        await expectNoJobs(own)
        await files.check(await allMedia(own))
      })
    },
    async finish([first]) {
      assert.ok(applied > 0, 'nothing was transferred')
      await (first as Running).service.end('SIGKILL')
      await files.age()
      const last = await world.start()
      await eventually(async () => {
        await expectNoJobs(last.client)
        await files.check(await allMedia(last.client))
        await files.checkSwept()
      })
    },
  }
}

async function resultOf(own: LoadClient['client'], path: string) {
  for (;;) {
    const { status, body } = await own.post(`${path}/apply`)
    assert.equal(status, 200, JSON.stringify(body))
    // It takes longer than an answer may.
    if (body.data.result !== null) return body.data.result
  }
}

/** Goes on where it was interrupted. */
async function sendFile(own: LoadClient['client'], hash: string, text: string): Promise<void> {
  const path = `/api/admin/transfer/files/${hash}`
  const { received } = (await own.get(path)).body.data
  if (received === text.length) return
  const sent = await own.put(`${path}?offset=${received}`, text.slice(received))
  assert.equal(sent.status, 200, JSON.stringify(sent.body))
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

function newPackage(target: string): Package {
  const keys = Array.from({ length: notes }, () => newUuid())
  const files = Array.from({ length: pictures }, () => ({ key: newUuid(), text: `file ${newUuid()}` }))
  const lines = [
    { format: 1, environment: source, target, missing: 'refuse' },
    ...keys.map((key, index) => ({
      ...{ section: 'content:note', key, action: 'put', before: null, source: 'x'.repeat(43) },
      value: {
        data: {
          text: `note ${index}`,
          next: keys[(index + 1) % notes],
          picture: files[index % pictures]?.key,
        },
      },
    })),
    {
      ...{ section: 'roles', key: `crash-${newUuid()}`, action: 'put', before: null, source: 'x'.repeat(43) },
      value: { description: '', permissions: { content: { note: { read: true } }, media: {} } },
    },
    ...files.map(({ key, text }) => ({
      ...{ section: 'media', key, action: 'put', before: null, source: 'x'.repeat(43) },
      value: { file: { name: 'file.txt', hash: hashOf(text), size: text.length }, data: {} },
    })),
  ]
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  return {
    id: hashOf(text),
    lines: text,
    files: new Map(files.map((file) => [hashOf(file.text), file.text])),
  }
}

async function stored(database: Driver) {
  const count = async (text: ReturnType<typeof sql>) => {
    const statement = database.prepare<{ count: number }>(text, { count: 'integer' })
    return (await database.get(statement))?.count ?? 0
  }
  return {
    notes: await count(sql`select count(*) as count from content_note`),
    linked: await count(sql`select count(*) as count from content_note where next_id is not null`),
    pictured: await count(
      sql`select count(*) as count from content_note join svc_media on svc_media.id = picture_id`,
    ),
    files: await count(sql`select count(*) as count from svc_media`),
    roles: await count(sql`select count(*) as count from svc_roles where name like 'crash-%'`),
    agreements: await count(sql`select count(*) as count from svc_transfer_agreements`),
    packages: await count(sql`select count(*) as count from svc_transfer_packages`),
  }
}

crashTest('transferring', { project: { schemas }, kills: 6, create: createScenario })
