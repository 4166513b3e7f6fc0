import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  contentWriteMiddleware,
  type EntryEvent,
  entryCreated,
  entryPublished,
} from '../../core-plugins/entries/content/content.ts'
import { definePlugin } from '../../kernel/index.ts'
import { create, dataOf, list, read, useContent, withScopes } from '../api/content-world.ts'
import { eachDatabase } from '../support/databases.ts'
import { ask, codesIn, post } from './graphql-world.ts'

/** What hooks and middleware have seen. */
const seen: { events: [string, EntryEvent][]; ips: (string | undefined)[] } = { events: [], ips: [] }

const watcher = definePlugin({
  name: 'watcher',
  description: 'Notes what is written',
  uses: {},
  init({ on, contribute }) {
    on(entryCreated, (event) => void seen.events.push(['create', event]))
    on(entryPublished, (event) => void seen.events.push(['publish', event]))
    contribute(contentWriteMiddleware, {
      name: 'watcher: note addresses',
      matches: () => true,
      run({ ip }, next) {
        seen.ips.push(ip)
        return next()
      },
    })
  },
})

eachDatabase(({ name }) => {
  const world = useContent(name, [watcher])

  describe('GraphQL mutations', () => {
    it('creates what REST would, and answers it expanded', async () => {
      const ada = await create(world.admin, 'person', { name: 'Ada', age: 9007199254740991 })
      const tags = [
        await create(world.admin, 'tag', { name: 'a' }),
        await create(world.admin, 'tag', { name: 'b' }),
      ]
      const data = {
        ...{ title: 'x', count: 900, big: '9223372036854775807', price: '0.10', isOn: true },
        ...{
          day: '2026-01-31',
          seenAt: '2026-01-31T09:00:00+01:00',
          kind: 'red',
          data: { a: [null, { b: 1 }] },
        },
        ...{ owner: ada.id, tags: tags.map(({ id }) => id) },
        ...{ seo: { title: 'seo' }, links: [{ id: 'first', label: 'l', person: ada.id }] },
        blocks: [{ __component: 'test.menu', title: 'm', price: 1.5 }],
      }
      const { createSample } = await ask(
        world.admin,
        `mutation ($data: SampleInput!) { createSample(data: $data) { data {
          id owner { name } tags { name } links { id person { name } } blocks { __component ... on ComponentTestMenu { title } }
        } } }`,
        { data },
      )
      const { id } = createSample.data
      assert.deepEqual(createSample.data, {
        id,
        owner: { name: 'Ada' },
        tags: [{ name: 'a' }, { name: 'b' }],
        links: [{ id: 'first', person: { name: 'Ada' } }],
        blocks: [{ __component: 'test.menu', title: 'm' }],
      })
      const twin = await create(world.admin, 'sample', data)
      const { id: _1, created_at: _2, updated_at: _3, ...stored } = await read(world.admin, 'sample', id)
      const {
        id: _4,
        created_at: _5,
        updated_at: _6,
        ...expected
      } = await read(world.admin, 'sample', twin.id)
      assert.deepEqual(stored, expected)
      // What listeners got is the entry as REST answers it, ids and all.
      const [, event] =
        seen.events.find(
          ([kind, { contentType, entry }]) =>
            kind === 'create' && contentType === 'sample' && entry.id === id,
        ) ?? []
      assert.ok(event)
      const { blocks, links } = event.entry
      assert.deepEqual({ blocks, links }, { blocks: stored.blocks, links: stored.links })
      assert.ok(
        seen.ips.every((ip) => ip === '127.0.0.1' || ip === '::1' || ip === '::ffff:127.0.0.1'),
        String(seen.ips),
      )
    })

    it('changes only what is sent, null included, and deletes', async () => {
      const { id } = await create(world.admin, 'sample', { title: 'old', count: 3, body: 'body' })
      await ask(
        world.admin,
        `mutation { updateSample(id: "${id}", data: { title: "new", body: null }) { data { id } } }`,
      )
      const { title, count, body } = await read(world.admin, 'sample', id)
      assert.deepEqual({ title, count, body }, { title: 'new', count: 3, body: null })
      const gone = await ask(world.admin, `mutation { deleteSample(id: ${id}) { data { id title } } }`)
      assert.deepEqual(gone, { deleteSample: { data: { id, title: 'new' } } })
      const again = await post(world.admin, `mutation { deleteSample(id: ${id}) { data { id } } }`)
      assert.deepEqual([again.status, ...codesIn(again)], [404, 'NOT_FOUND'])
    })

    it('publishes now or later, and takes back', async () => {
      const { id } = await create(world.admin, 'person', { name: 'Grace' })
      const run = async (field: string) =>
        Object.values(await ask(world.admin, `mutation { ${field} { data { published_at } } }`))[0] as {
          data: { published_at: string | null }
        }
      const { data } = await run(`publishPerson(id: ${id})`)
      assert.equal(data.published_at, (await read(world.admin, 'person', id)).published_at)
      assert.ok(seen.events.some(([kind, { entry }]) => kind === 'publish' && entry.id === id))
      assert.equal((await run(`unpublishPerson(id: ${id})`)).data.published_at, null)
      const later = await run(`publishPerson(id: ${id}, publishedAt: "2999-01-01T00:00:00+00:00")`)
      assert.equal(later.data.published_at, '2999-01-01T00:00:00.000Z')
      const wrong = await post(
        world.admin,
        `mutation { publishPerson(id: ${id}, publishedAt: "soon") { data { id } } }`,
      )
      assert.deepEqual([wrong.status, ...codesIn(wrong)], [400, 'VALIDATION_ERROR'])
    })

    it('writes single types', async () => {
      await ask(world.admin, 'mutation { updateHome(data: { headline: "one" }) { data { id } } }')
      const changed = await ask(
        world.admin,
        'mutation { updateHome(data: { headline: "two" }) { data { headline } } }',
      )
      assert.equal(changed.updateHome.data.headline, 'two')
      const second = await post(
        world.admin,
        'mutation { createHome(data: { headline: "three" }) { data { id } } }',
      )
      assert.deepEqual([second.status, ...codesIn(second)], [409, 'CONFLICT'])
      await ask(world.admin, 'mutation { deleteHome { data { id } } }')
      assert.equal((await world.admin.get('/api/content/home')).status, 404)
    })

    it('tells all problems of a payload, as REST does', async () => {
      const payload = { title: 'x', url: '\u0000', kind: 'video', items: [] }
      const rest = await world.admin.post('/api/content/form', { ...payload, url: null })
      const answer = await post(
        world.admin,
        'mutation { createForm(data: { title: "x", kind: "video", url: null, items: [] }) { data { id } } }',
      )
      assert.equal(answer.status, 400)
      assert.deepEqual(answer.body.errors[0].extensions.details, rest.body.error.details)
      assert.ok(rest.body.error.details.length >= 3)
      const nul = await post(
        world.admin,
        'mutation { createTag(data: { name: "a\\u0000b" }) { data { id } } }',
      )
      assert.deepEqual([nul.status, ...codesIn(nul)], [400, 'VALIDATION_ERROR'])
    })

    it('goes on after a field that fails, in the order of the document', async () => {
      const answer = await post(
        world.admin,
        `mutation {
          one: createTag(data: { name: "one" }) { data { name } }
          again: createTag(data: { name: "one" }) { data { name } }
          two: createTag(data: { name: "two" }) { data { name } }
        }`,
      )
      assert.equal(answer.status, 200)
      assert.deepEqual(answer.body.data, {
        one: { data: { name: 'one' } },
        again: null,
        two: { data: { name: 'two' } },
      })
      assert.deepEqual(codesIn(answer), ['CONFLICT'])
      assert.deepEqual(answer.body.errors[0].path, ['again'])
    })

    it('asks for the scope of each write', async () => {
      const readOnly = await withScopes(world, 'content:read')
      const writeOnly = await withScopes(world, 'content:write')
      const creation = 'mutation { createTag(data: { name: "by token" }) { data { id name } } }'
      const refused = await post(readOnly, creation)
      assert.deepEqual([refused.status, ...codesIn(refused)], [403, 'FORBIDDEN'])
      const { createTag } = await ask(writeOnly, creation)
      assert.equal(createTag.data.name, 'by token')
      const deletion = await post(
        writeOnly,
        `mutation { deleteTag(id: ${createTag.data.id}) { data { id } } }`,
      )
      assert.deepEqual([deletion.status, ...codesIn(deletion)], [403, 'FORBIDDEN'])
      const reading = await post(writeOnly, '{ tagList { data { id } } }')
      assert.deepEqual([reading.status, ...codesIn(reading)], [403, 'FORBIDDEN'])
    })

    it('writes nothing whose answer the caller may not see', async () => {
      const writeOnly = await withScopes(world, 'content:write')
      const before = (await list(world.admin, 'sample', '?limit=100')).length
      const answer = await post(
        writeOnly,
        'mutation { createSample(data: { title: "unseen" }) { data { id owner { name } } } }',
      )
      assert.deepEqual([answer.status, ...codesIn(answer)], [403, 'FORBIDDEN'])
      assert.equal((await list(world.admin, 'sample', '?limit=100')).length, before)
    })

    it('is audited as REST is', async () => {
      await ask(world.admin, 'mutation { createTag(data: { name: "audited" }) { data { id } } }')
      const log = dataOf(await world.admin.get('/api/admin/audit-logs?action=content.create&limit=1'))
      const [newest] = log as unknown as { action: string; resource: string }[]
      assert.equal(newest?.action, 'content.create')
      assert.match(newest?.resource ?? '', /^tag/)
    })
  })
})
