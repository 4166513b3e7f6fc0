import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { sql } from 'drizzle-orm'
import { createUuidFiller } from '../../core-plugins/entries/content/entry/fill-uuids.ts'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { schemasService } from '../../core-plugins/foundation/schemas/schemas.ts'
import {
  addMedia,
  type ContentWorld,
  create,
  dataOf,
  entryIn,
  list,
  pathOf,
  problemsIn,
  read,
  startContent,
  update,
} from '../api/content-world.ts'
import { eachDatabase } from '../support/databases.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

eachDatabase(({ name }) => {
  let world: ContentWorld

  before(async () => {
    world = await startContent(name)
  })
  after(() => world.stop())

  const uuidOf = async (type: string, id: number) =>
    String((await read(world.admin, type, id, '?fields=uuid')).uuid)
  const run = (statement: ReturnType<typeof sql>) => {
    const database = world.service.kernel.get(databaseService)
    return database.run(database.prepare(statement), {})
  }

  it('is shown where it is asked for, and nowhere else', async () => {
    const person = await create(world.admin, 'person', { name: 'Ada' })
    const sample = await create(world.admin, 'sample', { title: 'First', owner: person.id })
    assert.ok(!('uuid' in sample))
    assert.ok(!('uuid' in (await read(world.admin, 'sample', sample.id))))
    assert.match(await uuidOf('sample', sample.id), uuid)
    assert.notEqual(await uuidOf('sample', sample.id), await uuidOf('person', person.id))
    const query = '?populate[owner][fields]=uuid&fields=title,uuid'
    const shown = await read(world.admin, 'sample', sample.id, query)
    assert.deepEqual(Object.keys(shown).sort(), ['id', 'owner', 'title', 'uuid'])
    assert.deepEqual(entryIn(shown.owner), { id: person.id, uuid: await uuidOf('person', person.id) })
    const { body } = await world.admin.get(pathOf('sample', `${sample.id}/revisions`))
    assert.ok(!('uuid' in body.data[0].data))
  })

  it('finds entries, also through relations', async () => {
    const person = await create(world.admin, 'person', { name: 'Bea' })
    const sample = await create(world.admin, 'sample', { title: 'Second', owner: person.id })
    const [own, owner] = [await uuidOf('sample', sample.id), await uuidOf('person', person.id)]
    const ids = async (query: string) => (await list(world.admin, 'sample', query)).map(({ id }) => id)
    assert.deepEqual(await ids(`?filters[uuid]=${own}`), [sample.id])
    assert.deepEqual(await ids(`?filters[uuid][$in]=${own},${owner}`), [sample.id])
    assert.deepEqual(await ids(`?filters[owner][uuid]=${owner}`), [sample.id])
    assert.ok(!(await ids(`?filters[uuid][$ne]=${own}`)).includes(sample.id))
    assert.deepEqual(await ids(`?search=${own}`), [])
  })

  it('stays whatever is written', async () => {
    const memo = await create(world.admin, 'memo', { title: 'Memo' })
    const before = await uuidOf('memo', memo.id)
    await update(world.admin, 'memo', memo.id, {
      title: 'Changed',
      uuid: '00000000-0000-4000-8000-000000000000',
    })
    assert.equal(await uuidOf('memo', memo.id), before)
    dataOf(await world.admin.delete(pathOf('memo', memo.id)))
    dataOf(await world.admin.post(pathOf('memo', `${memo.id}/restore`)))
    assert.equal(await uuidOf('memo', memo.id), before)
  })

  it('says which entry is meant, and which one a new entry is', async () => {
    const save = (entries: readonly object[]) =>
      world.admin.post(pathOf('person', 'bulk-create?match=uuid'), entries)
    const known = '0190a5f0-1c2d-7e3f-8a4b-5c6d7e8f9a0b'
    const { body: made } = await save([{ uuid: known, name: 'Cleo' }])
    const [id] = made.data.ids
    assert.deepEqual(made.data, { count: 1, ids: [id], created: 1, updated: 0, unchanged: 0 })
    assert.equal(await uuidOf('person', id), known)
    const { body: again } = await save([{ uuid: known, name: 'Cleo' }])
    assert.deepEqual(again.data, { count: 1, ids: [id], created: 0, updated: 0, unchanged: 1 })
    const { body: changed } = await save([{ uuid: known, name: 'Cleopatra' }])
    assert.deepEqual(changed.data, { count: 1, ids: [id], created: 0, updated: 1, unchanged: 0 })
    const wrong = await save([{ name: 'None' }, { uuid: 'x', name: 'X' }, { uuid: known }, { uuid: known }])
    assert.deepEqual(problemsIn(wrong), ['0.uuid required', '1.uuid format', '3.uuid duplicate'])
  })

  it('is refused where another entry has it', async () => {
    const memo = await create(world.admin, 'memo', { title: 'In the trash' })
    const taken = await uuidOf('memo', memo.id)
    dataOf(await world.admin.delete(pathOf('memo', memo.id)))
    const answer = await world.admin.post(pathOf('memo', 'bulk-create?match=uuid'), [
      { uuid: taken, title: 'Another' },
    ])
    assert.deepEqual(problemsIn(answer, 409, 'CONFLICT'), ['0.uuid unique'])
  })

  it('is given to rows that have none, at the start and after a restore', async () => {
    const [{ id }, [file = 0]] = [
      await create(world.admin, 'person', { name: 'Old' }),
      await addMedia(world, ['old.png']),
    ]
    const before = await uuidOf('person', id)
    await run(sql`update content_person set _uuid = null where id = ${sql.raw(String(id))}`)
    const database = world.service.kernel.get(databaseService)
    let steps = 0
    await createUuidFiller(database, world.service.kernel.get(schemasService)).fillAll(() => steps++)
    assert.match(await uuidOf('person', id), uuid)
    assert.notEqual(await uuidOf('person', id), before)
    const { id: holder } = await create(world.admin, 'sample', { cover: file })
    const { cover } = await read(world.admin, 'sample', holder, '?populate[cover][fields]=uuid')
    assert.match(String(entryIn(cover).uuid), uuid)
    const all = await list(world.admin, 'person', '?fields=uuid&limit=100')
    assert.equal(new Set(all.map((entry) => entry.uuid)).size, all.length)
  })
})
