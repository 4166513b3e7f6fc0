import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  entryCreated,
  entryDraftChanged,
  entryPublished,
  entryUpdated,
} from '../../core-plugins/entries/content/content.ts'
import { definePlugin } from '../../kernel/index.ts'
import {
  create,
  dataOf,
  list,
  pathOf,
  problemsIn,
  read,
  signUp,
  useContent,
  withScopes,
} from '../api/content-world.ts'
import type { Answer, Client } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'

const told: string[] = []
const listener = definePlugin({
  name: 'listener',
  description: 'Counts what entries tell',
  register({ on }) {
    for (const event of [entryCreated, entryUpdated, entryPublished, entryDraftChanged]) {
      on(event, ({ contentType }) => {
        told.push(contentType)
      })
    }
  },
})

eachDatabase((database) => {
  const world = useContent(database.name, [listener])
  const check = (client: Client, type: string, data: unknown, options?: object) =>
    client.post(pathOf(type, 'check'), data, options)
  const checkChange = (type: string, id: number, data: unknown, options?: object) =>
    world.admin.post(pathOf(type, `${id}/check`), data, options)
  const errorDetails = ({ body }: Answer) => body.error.details

  describe('the check of an entry', () => {
    it('accepts what the write accepts, and stores and tells nothing', async () => {
      const { id } = await create(world.admin, 'tag', { name: 'kept' })
      const before = { entries: await list(world.admin, 'tag'), audit: await auditTotal() }
      told.length = 0
      const answers = [
        await check(world.admin, 'tag', { name: 'free' }),
        await checkChange('tag', id, { name: 'also free' }),
        await checkChange('tag', id, {}),
      ]
      for (const answer of answers) assert.deepEqual(dataOf(answer), { valid: true })
      assert.deepEqual(await list(world.admin, 'tag'), before.entries)
      assert.equal(await auditTotal(), before.audit)
      assert.deepEqual(told, [])
      await create(world.admin, 'tag', { name: 'free' })
      assert.deepEqual(told, ['tag'])
    })

    it('reports what the write reports', async () => {
      const { id } = await create(world.admin, 'sample', { title: 'One', code: 'taken' })
      const other = await create(world.admin, 'sample', { title: 'Two', code: 'other' })
      const { id: gone } = await create(world.admin, 'tag', { name: 'gone' })
      await world.admin.delete(pathOf('tag', gone))
      const payloads: unknown[] = [
        { count: 9_999, kind: 'purple', unknown: 1, body: 'x' },
        { code: 'taken' },
        { owner: 999_999 },
        { tags: [gone] },
        { tags: [gone], count: 9_999, links: [{ url: 1 }] },
        { blocks: [{ __component: 'nothing' }] },
      ]
      for (const data of payloads) {
        const written = await world.admin.post(pathOf('sample'), data)
        const checked = dataOf(await check(world.admin, 'sample', data))
        assert.deepEqual(checked, { valid: false, details: errorDetails(written) }, JSON.stringify(data))
        const changed = await world.admin.put(pathOf('sample', other.id), data)
        const change = dataOf(await checkChange('sample', other.id, data))
        assert.deepEqual(change, { valid: false, details: errorDetails(changed) }, JSON.stringify(data))
      }
      assert.deepEqual(dataOf(await checkChange('sample', id, { code: 'taken' })), { valid: true })
      assert.equal((await read(world.admin, 'sample', other.id)).code, 'other')
    })

    it('knows what only an administrator may know about the trash', async () => {
      const { id } = await create(world.admin, 'memo', { title: 'old', slug: 'in-trash' })
      await world.admin.delete(pathOf('memo', id))
      const data = { title: 'new', slug: 'in-trash' }
      const told = dataOf(await check(world.admin, 'memo', data))
      assert.match(JSON.stringify(told.details), new RegExp(`memo ${id} in the trash`))
      const token = await withScopes(world, 'content:write')
      const hidden = dataOf(await check(token, 'memo', data))
      assert.deepEqual(hidden.details, [{ path: 'slug', code: 'unique', message: 'is already taken' }])
    })

    it('checks the entry of a single type, whether or not there is one', async () => {
      const missing = dataOf(await check(world.admin, 'home', {}))
      assert.deepEqual(problemPaths(missing), ['headline required'])
      assert.deepEqual(dataOf(await check(world.admin, 'home', { headline: 'Hi' })), { valid: true })
      assert.equal((await world.admin.get(pathOf('home'))).status, 404)
      await world.admin.put(pathOf('home'), { headline: 'Stored' })
      assert.deepEqual(dataOf(await check(world.admin, 'home', {})), { valid: true })
      assert.deepEqual(problemPaths(dataOf(await check(world.admin, 'home', { headline: null }))), [
        'headline required',
      ])
      assert.equal(dataOf(await world.admin.get(pathOf('home'))).headline, 'Stored')
    })

    it('refuses whom the write refuses', async () => {
      const { id } = await create(world.admin, 'person', { name: 'Hidden' })
      const callers = [
        world.anonymous,
        await signUp(world, `reader-${database.name}`),
        await withScopes(world, 'content:read'),
      ]
      for (const caller of callers) {
        for (const [path, data] of [
          [pathOf('person'), { name: 'x' }],
          [pathOf('person', id), { name: 'x' }],
          [pathOf('home'), { headline: 'x' }],
        ] as const) {
          const isCreate = path === pathOf('person')
          const written = await (isCreate ? caller.post(path, data) : caller.put(path, data))
          const checked = await caller.post(`${path}/check`, data)
          assert.ok([401, 403].includes(checked.status))
          assert.equal(checked.status, written.status)
        }
      }
    })

    it('answers what concerns no field as the write does', async () => {
      const { id } = await create(world.admin, 'sample', { title: 'version' })
      problemsIn(await checkChange('sample', 999_999, {}), 404, 'NOT_FOUND')
      problemsIn(await check(world.admin, 'nothing', {}), 404, 'NOT_FOUND')
      const stale = { headers: { 'if-match': '"x"' } }
      problemsIn(await checkChange('sample', id, { title: 'x' }, stale), 412, 'PRECONDITION_FAILED')
      for (const body of [[], 'text', null, 7]) {
        assert.equal((await check(world.admin, 'sample', body)).status, 400)
      }
    })

    it('may run at the same time as others and as the write', async () => {
      const data = { name: 'at once' }
      const checks = Array.from({ length: 8 }, () => check(world.admin, 'tag', data))
      const [written, ...answers] = await Promise.all([world.admin.post(pathOf('tag'), data), ...checks])
      assert.equal(written.status, 201)
      for (const answer of answers) assert.equal(answer.status, 200)
      assert.equal(dataOf(await check(world.admin, 'tag', data)).valid, false)
    })
  })

  const auditTotal = async () =>
    (await world.admin.get('/api/admin/audit-logs?action=content.*&limit=1')).body.pagination.total
  const problemPaths = (checked: Record<string, unknown>) =>
    (checked.details as { path: string; code: string }[]).map(({ path, code }) => `${path} ${code}`)
})
