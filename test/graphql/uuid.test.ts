import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { allow, create, read, useContent } from '../api/content-world.ts'
import { eachDatabase } from '../support/databases.ts'
import { ask, codesIn, countStatements, post } from './graphql-world.ts'

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/

eachDatabase(({ name }) => {
  describe('UUIDs over GraphQL', () => {
    const world = useContent(name)
    const uuidOf = async (type: string, id: number) =>
      String((await read(world.admin, type, id, '?fields=uuid')).uuid)
    let shown: string
    let draft: string
    let sample: string

    before(async () => {
      const ada = await create(world.admin, 'person', { name: 'Ada' })
      await world.admin.put(`/api/content/person/${ada.id}/publish`)
      const ghost = await create(world.admin, 'person', { name: 'Ghost' })
      const entry = await create(world.admin, 'sample', { title: 'of Ada', owner: ada.id })
      shown = await uuidOf('person', ada.id)
      draft = await uuidOf('person', ghost.id)
      sample = await uuidOf('sample', entry.id)
      await allow(world, 'public', { person: { read: true } })
    })

    it('are shown as REST shows them, of related entries too', async () => {
      const data = await ask(world.admin, '{ sampleList { data { uuid owner { uuid name } } } }')
      assert.deepEqual(data.sampleList.data, [{ uuid: sample, owner: { uuid: shown, name: 'Ada' } }])
    })

    it('are filtered and sorted by', async () => {
      const data = await ask(
        world.admin,
        `query ($of: String!) {
          own: personList(filters: { uuid: { eq: $of } }) { data { name } }
          related: sampleList(filters: { owner: { uuid: { in: [$of] } } }) { data { title } }
          none: personList(filters: { uuid: { eq: "nobody" } }) { data { name } }
          sorted: personList(sort: "uuid:desc") { data { name } }
        }`,
        { of: shown },
      )
      assert.deepEqual(data, {
        own: { data: [{ name: 'Ada' }] },
        related: { data: [{ title: 'of Ada' }] },
        none: { data: [] },
        sorted: { data: [{ name: 'Ghost' }, { name: 'Ada' }] },
      })
    })

    it('name one entry, to those who see it', async () => {
      const document = 'query ($uuid: String) { person(uuid: $uuid) { data { name } } }'
      const found = (client: typeof world.admin, uuid: string) => ask(client, document, { uuid })
      assert.deepEqual(await found(world.admin, draft), { person: { data: { name: 'Ghost' } } })
      assert.deepEqual(await found(world.anonymous, shown), { person: { data: { name: 'Ada' } } })
      for (const hidden of [draft, sample, 'nobody', '', 'x'.repeat(2_000)])
        assert.deepEqual(await found(world.anonymous, hidden), { person: { data: null } }, hidden)
      const escaped = await post(world.admin, String.raw`{ person(uuid: "\u0000") { data { id } } }`)
      assert.notEqual(escaped.status, 500, JSON.stringify(escaped.body))
      const closed = await post(world.anonymous, `{ sample(uuid: "${sample}") { data { id } } }`)
      assert.deepEqual([closed.status, ...codesIn(closed)], [401, 'UNAUTHENTICATED'])
    })

    it('stand in place of an id, never beside it', async () => {
      for (const args of [
        `(id: 1, uuid: "${shown}")`,
        '(id: null, uuid: null)',
        '(id: null)',
        '',
        '(draft: true)',
      ]) {
        const answer = await post(world.admin, `{ person${args} { data { id } } }`)
        assert.deepEqual([answer.status, ...codesIn(answer)], [400, 'VALIDATION_ERROR'], args)
      }
    })

    it('are in what mutations answer, of what is gone as well', async () => {
      const made = await ask(
        world.admin,
        'mutation { createPerson(data: { name: "Eve" }) { data { id uuid boss { uuid } } } }',
      )
      const { id, uuid } = made.createPerson.data
      assert.match(uuid, uuidForm)
      assert.equal(uuid, await uuidOf('person', id))
      const changed = await ask(
        world.admin,
        `mutation ($id: ID!) {
          updatePerson(id: $id, data: { boss: 1 }) { data { uuid boss { uuid } } }
          publishPerson(id: $id) { data { uuid } }
          deletePerson(id: $id) { data { uuid } }
        }`,
        { id },
      )
      assert.deepEqual(changed, {
        updatePerson: { data: { uuid, boss: { uuid: shown } } },
        publishPerson: { data: { uuid } },
        deletePerson: { data: { uuid } },
      })
    })

    it('are in what features answer, of what is gone as well', async () => {
      const { createMediaFolder } = await ask(
        world.admin,
        'mutation { createMediaFolder(data: { name: "Photos" }) { data { id uuid } } }',
      )
      const { id, uuid } = createMediaFolder.data
      assert.match(uuid, uuidForm)
      const { mediaFolders } = await ask(world.admin, '{ mediaFolders { data { uuid } } }')
      assert.deepEqual(mediaFolders.data, [{ uuid }])
      const gone = await ask(world.admin, `mutation { deleteMediaFolder(id: ${id}) { data { uuid } } }`)
      assert.deepEqual(gone.deleteMediaFolder.data, { uuid })
    })

    it('cost one statement more where one entry is named, and none in lists', async () => {
      const count = (document: string) => countStatements(world.service, () => ask(world.admin, document))
      assert.equal(await count(`{ person(uuid: "${shown}") { data { name uuid } } }`), 2)
      assert.equal(await count('{ person(id: 1) { data { name uuid } } }'), 1)
      assert.equal(await count('{ personList { data { uuid } } }'), 1)
    })
  })
})
