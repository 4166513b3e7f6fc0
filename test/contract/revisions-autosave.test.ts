import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { sql } from 'drizzle-orm'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { type Caller, expectStatus, newAdmin } from '../api/auth-callers.ts'
import type { Client } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'

const info = (name: string) => ({ singularName: name, pluralName: `${name}s`, displayName: name })
const attributes = { title: { type: 'string' }, text: { type: 'text' } }
const schemas = {
  'page.json': {
    kind: 'collectionType',
    info: info('page'),
    options: { draftAndPublish: true, draftOverlay: true },
    attributes,
  },
  'imprint.json': { kind: 'singleType', info: info('imprint'), attributes },
}

interface Revision {
  readonly version: number
  readonly action: string
  readonly data: { readonly title: string; readonly text: string | null }
}

eachDatabase(({ name }) => {
  let service: TestService
  let editor: Caller
  const path = (rest = '') => `/api/content/page${rest}`
  const autosave = { headers: { 'x-autosave': '1' } }

  before(async () => {
    service = await startService({ database: name, schemas })
    editor = await newAdmin(service, 'editor')
  })
  after(() => service.stop())

  const create = async () => expectStatus(await editor.client.post(path(), { title: '0' }), 201).body.data.id
  const save = async (id: number, data: object, client: Client = editor.client) =>
    expectStatus(await client.put(path(`/${id}`), data, autosave), 200)
  const revisions = async (id: number) =>
    expectStatus(await service.admin.get(path(`/${id}/revisions`)), 200).body.data as Revision[]
  const titles = async (id: number) =>
    (await revisions(id)).map(({ version, action, data }) => `${version} ${action} ${data.title}`)
  const age = (id: number) => {
    const database = service.kernel.get(databaseService)
    const past = database.dialect.placeholder('past', 'datetime')
    const values = {
      past: database.dialect.bind(new Date(Date.now() - 11 * 60_000).toISOString(), 'datetime'),
    }
    const of = sql`where type = 'page' and entry_id = ${sql.raw(String(id))}`
    return database.run(database.prepare(sql`update svc_revisions set created_at = ${past} ${of}`), values)
  }

  it('autosaves of one author share a revision', async () => {
    const id = await create()
    for (const title of ['1', '2', '3']) await save(id, { title })
    assert.deepEqual(await titles(id), ['2 update 3', '1 create 0'])
    expectStatus(await editor.client.put(path(`/${id}`), { title: '4' }), 200)
    assert.deepEqual((await titles(id)).slice(0, 2), ['3 update 4', '2 update 3'], 'saving makes one')
    await save(id, { title: '5' })
    assert.deepEqual((await titles(id)).slice(0, 1), ['3 update 5'])
    await save(id, { title: '6' }, service.admin)
    await save(id, { title: '7' })
    assert.deepEqual((await titles(id)).slice(0, 3), ['5 update 7', '4 update 6', '3 update 5'])
  })

  it('a revision is joined for ten minutes, and for writes of its kind', async () => {
    const id = await create()
    await save(id, { title: '1' })
    await age(id)
    await save(id, { title: '2' })
    assert.deepEqual(await titles(id), ['3 update 2', '2 update 1', '1 create 0'])
    expectStatus(await editor.client.put(path(`/${id}/publish`)), 200)
    await save(id, { title: '3' })
    await save(id, { title: '4' })
    assert.deepEqual((await titles(id)).slice(0, 2), ['5 draft 4', '4 publish 2'])
  })

  it(
    'what is joined can be read, whether it was stored whole or as a change of another one',
    slow,
    async () => {
      const id = await create()
      const text = (length: number) => Array.from({ length }, (_, index) => `${index} words`).join(' ')
      for (const length of [500, 505, 900, 20, 2_000, 2_001]) {
        expectStatus(await editor.client.put(path(`/${id}`), { text: text(length) }), 200)
        for (const more of [1, 2, 300]) await save(id, { text: text(length + more) })
      }
      const [newest, ...older] = await revisions(id)
      assert.equal(newest?.data.text, text(2_301))
      assert.deepEqual(
        older.map(({ data }) => data.text?.length ?? 0),
        [2_300, 320, 1_200, 805, 800].map((length) => text(length).length).concat(0),
      )
      assert.deepEqual(
        (await revisions(id)).map(({ version }) => version),
        [7, 6, 5, 4, 3, 2, 1],
      )
    },
  )

  it('single types take it, too', async () => {
    const put = async (title: string) =>
      expectStatus(await editor.client.put('/api/content/imprint', { title }, autosave), 200).body.data
    const made = await editor.client.put('/api/content/imprint', { title: '0' })
    const { id } = expectStatus(made, 201).body.data
    for (const title of ['1', '2']) await put(title)
    const found = await service.admin.get(`/api/content/imprint/${id}/revisions`)
    assert.deepEqual(
      expectStatus(found, 200).body.data.map(({ data }: Revision) => data.title),
      ['2', '0'],
    )
  })
})
