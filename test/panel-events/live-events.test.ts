import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { liveEventsTable } from '../../core-plugins/panel/panel-events/tables.ts'
import { expectStatus, newAdmin } from '../api/auth-callers.ts'
import { createClient } from '../support/client.ts'
import { eachDatabase, type TestDatabase } from '../support/databases.ts'
import { readEventStream } from '../support/event-stream.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { type OpenStream, openStream } from './open-stream.ts'

const noNews = {
  name: 'no-news',
  permissions: { content: { article: { read: true }, author: { read: false } }, media: {} },
}

let count = 0
async function newArticle(service: TestService): Promise<number> {
  count += 1
  const answer = await service.admin.post('/api/content/article', { title: 'One', slug: `one-${count}` })
  return expectStatus(answer, 201).body.data.id
}

eachDatabase((database) => {
  describe('live events of two processes on one database', () => {
    let here: TestService
    let there: TestService
    let shared: TestDatabase
    before(async () => {
      shared = await database.createUrl()
      here = await startService({ database: { url: shared.url } })
      there = await startService({ database: { url: shared.url }, adapter: 'node-http' })
      expectStatus(await here.admin.post('/api/admin/roles', noNews), 201)
    })
    after(async () => {
      await Promise.all([here.stop(), there.stop()])
      await shared.drop()
    })

    /** Waits until all that has been written before is told. */
    async function allTold(stream: OpenStream) {
      const author = await here.admin.post('/api/content/author', { name: 'Last' })
      const { id } = expectStatus(author, 201).body.data
      await stream.told('entry', (data) => data.type === 'author' && data.id === id)
    }

    it('tells what was written, without values, to those who may read it', slow, async () => {
      const ada = await newAdmin(here, 'editor')
      const ben = await newAdmin(here, 'no-news')
      // A process hears of a role that another one has made within a second.
      const benThere = createClient(there.url, ben.token)
      await until(async () => (await benThere.get('/api/content/article')).status === 200)
      const [near, far, limited] = await Promise.all([
        openStream(here.url, ada.token),
        openStream(there.url, ada.token),
        openStream(there.url, ben.token),
      ])
      const author = await here.admin.post('/api/content/author', { name: 'Secret' })
      const authorId = expectStatus(author, 201).body.data.id
      const id = await newArticle(here)
      expectStatus(await here.admin.put(`/api/content/article/${id}`, { title: 'Two' }), 200)
      for (const stream of [near, far]) {
        await stream.told('entry', (data) => data.type === 'author' && data.id === authorId)
      }
      const { data } = await far.told('entry', (each) => each.id === id && each.operation === 'update')
      const { body } = await here.admin.get(`/api/content/article/${id}`)
      assert.deepEqual(
        { ...data, by: data.by.kind },
        {
          type: 'article',
          id,
          operation: 'update',
          version: body.data.updated_at,
          by: 'admin',
        },
      )
      await limited.told('entry', (each) => each.type === 'article' && each.operation === 'update')
      assert.equal(
        limited.events.some((each) => each.data.type === 'author'),
        false,
      )

      expectStatus(await here.admin.delete(`/api/content/article/${id}`), 200)
      const gone = await limited.told('entry', (each) => each.type === 'article' && each.id === undefined)
      assert.deepEqual(gone.data, { type: 'article' })
      await Promise.all([near.close(), far.close(), limited.close()])
    })

    it(
      'tells every write of another process in its order, and writes nothing down for it',
      slow,
      async () => {
        const ada = await newAdmin(here, 'editor')
        const stream = await openStream(there.url, ada.token)
        const database = here.kernel.get(databaseService)
        const noted = liveEventsTable.on(database).find([])
        const before = (await noted.all({})).length
        const id = await newArticle(here)
        const path = `/api/content/article/${id}`
        await stream.told('entry', (each) => each.id === id)
        expectStatus(await ada.client.put(`${path}/publish`), 200)
        expectStatus(await ada.client.put(path, { title: 'Two' }), 200)
        expectStatus(await ada.client.put(`${path}/unpublish`), 200)
        await stream.told('entry', (each) => each.id === id && each.operation === 'unpublish')
        const told = stream.events.filter(({ event, data }) => event === 'entry' && data.id === id)
        const own = { kind: 'admin', id: ada.id, name: ada.username }
        assert.deepEqual(
          told.slice(1).map(({ data }) => [data.operation, data.by]),
          [
            ['publish', own],
            ['update', own],
            ['unpublish', own],
          ],
        )
        assert.equal(told[0]?.data.operation, 'create')
        assert.equal((await noted.all({})).length, before)
        await stream.close()
      },
    )

    it('tells of the type only when many of its entries are written', slow, async () => {
      const ada = await newAdmin(here, 'editor')
      const stream = await openStream(there.url, ada.token)
      const ids: number[] = []
      for (let index = 0; index < 8; index++) ids.push(await newArticle(here))
      await allTold(stream)
      const before = stream.events.length
      expectStatus(await here.admin.post('/api/content/article/bulk-publish', { ids }), 200)
      await allTold(stream)
      const told = stream.events.slice(before).filter(({ data }) => data.type === 'article')
      assert.deepEqual(
        told.map(({ data }) => data),
        [{ type: 'article' }],
      )
      await stream.close()
    })

    it('names those who write to nobody but panels', async () => {
      const ada = await newAdmin(here, 'editor')
      const live = await readEventStream(`${here.url}/api/live?types=article`, {
        authorization: `Bearer ${ada.token}`,
      })
      await live.told('ready')
      const snapshot = await ada.client.get('/api/changes/snapshot?types=article&limit=1')
      const { since } = expectStatus(snapshot, 200).body.pagination
      const written = await ada.client.post('/api/content/article', { title: 'Whose?', slug: 'whose' })
      const { id } = expectStatus(written, 201).body.data
      await live.told('change', ({ refs }) => refs.some((ref: { id: number }) => ref.id === id))
      const feed = await ada.client.get(`/api/changes?since=${since}&types=article&include=entry`)
      expectStatus(feed, 200)
      assert.ok(feed.body.data.some((change: { id: number }) => change.id === id))
      for (const told of [JSON.stringify(feed.body), JSON.stringify(live.events)]) {
        assert.doesNotMatch(told, /"by"|"origin"|"operation"/)
        assert.equal(told.includes(ada.username), false)
      }
      await live.close()
    })

    it('tells a panel what was written just before its stream was open', async () => {
      const ada = await newAdmin(here, 'editor')
      const id = await newArticle(there)
      const stream = await openStream(here.url, ada.token)
      await stream.told('entry', (each) => each.id === id || each.id === undefined)
      await stream.close()
    })

    it('tells who is in an entry and where, in another process, until their tab is gone', async () => {
      const [ada, ben] = await Promise.all([newAdmin(here, 'editor'), newAdmin(here, 'editor')])
      const id = await newArticle(here)
      const adas = await openStream(here.url, ada.token)
      const bens = await openStream(there.url, ben.token)
      const entry = { type: 'article', id }
      // Behind a balancer, requests of a panel arrive wherever.
      const alone = await there.request('POST', '/api/admin/presence', {
        ...{ token: ada.token, body: { stream: adas.name, entry: { ...entry, field: 'title' } } },
      })
      assert.deepEqual(expectStatus(alone, 200).body.data, { people: [] })
      const joined = await ben.client.post('/api/admin/presence', { stream: bens.name, entry })
      const person = { id: ada.id, username: ada.username, field: 'title' }
      assert.deepEqual(expectStatus(joined, 200).body.data.people, [person])
      const toldAda = await adas.told('presence', ({ people }) => people.length === 1)
      assert.deepEqual(toldAda.data, {
        ...entry,
        people: [{ id: ben.id, username: ben.username, field: null }],
      })
      await bens.told('presence', ({ people }) => people[0]?.field === 'title')
      await adas.close()
      await until(
        () => bens.events.at(-1)?.event === 'presence' && bens.events.at(-1)?.data.people.length === 0,
      )
      await bens.close()
    })

    it('knows nobody in what one may not see, and is bounded', async () => {
      const ben = await newAdmin(here, 'no-news')
      const tell = (entry: unknown, stream: unknown = '00000000-0000-4000-8000-000000000000') =>
        ben.client.post('/api/admin/presence', { stream, entry })
      for (const type of ['author', 'nothing']) expectStatus(await tell({ type, id: 1 }), 403)
      const nobody = expectStatus(await tell({ type: 'article', id: 999_999 }), 200)
      assert.deepEqual(nobody.body.data.people, [])
      expectStatus(await tell({ type: 'article', id: 1, field: 'x'.repeat(256) }), 400)
      expectStatus(await tell(null, 'text'), 400)
      expectStatus(await ben.client.get('/api/admin/events?stream=text'), 400)

      const streams = await Promise.all(Array.from({ length: 13 }, () => openStream(here.url, ben.token)))
      assert.deepEqual(
        streams
          .map(({ status }) => status)
          .sort()
          .slice(-2),
        [200, 429],
      )
      await Promise.all(streams.map((stream) => stream.close()))
    })

    it('ends with the session, and tells a reader who returns to read anew', async () => {
      const ada = await newAdmin(here, 'editor')
      const stream = await openStream(there.url, ada.token, { 'last-event-id': '1' })
      await stream.told('restart')
      expectStatus(await ada.client.post('/api/admin/auth/logout'), 200)
      await until(() => stream.isClosed())
      assert.equal((await openStream(here.url, ada.token)).status, 401)
    })

    it('tells nobody of a mention or an assignment in an entry that they do not see', async () => {
      const ben = await newAdmin(here, 'no-news')
      const stream = await openStream(here.url, ben.token)
      const author = await here.admin.post('/api/content/author', { name: 'Secret' })
      const authorId = expectStatus(author, 201).body.data.id
      const about = `/api/content/author/${authorId}`
      const mention = { body: 'Look', mentions: [ben.id] }
      expectStatus(await here.admin.post(`${about}/comments`, mention), 201)
      expectStatus(await here.admin.post(`${about}/assignments`, { userId: ben.id, role: 'reader' }), 201)
      const id = await newArticle(here)
      await stream.told('entry', (data) => data.id === id)
      assert.deepEqual(
        stream.events.filter(({ event }) => event === 'inbox'),
        [],
      )
      expectStatus(await here.admin.post(`/api/content/article/${id}/comments`, mention), 201)
      assert.deepEqual((await stream.told('inbox')).data, {})
      await stream.close()
    })

    it('tells the people whom a comment mentions, and keeps the field it is about', async () => {
      const [ada, ben] = await Promise.all([newAdmin(here, 'editor'), newAdmin(here, 'editor')])
      const id = await newArticle(here)
      const [adas, bens] = await Promise.all([
        openStream(there.url, ada.token),
        openStream(there.url, ben.token),
      ])
      const comments = `/api/content/article/${id}/comments`
      const sent = { body: 'Is this right?', field: 'title', mentions: [ada.id] }
      const made = expectStatus(await ben.client.post(comments, sent), 201).body.data
      assert.deepEqual([made.field, made.mentions], ['title', [{ id: ada.id, username: ada.username }]])
      await adas.told('inbox')
      await bens.told('discussion', (data) => data.id === id)
      assert.equal(
        bens.events.some(({ event }) => event === 'inbox'),
        false,
      )
      const unknown = await ben.client.post(comments, { ...sent, mentions: [999_999] })
      assert.equal(expectStatus(unknown, 400).body.error.details[0].path, 'mentions')
      const edited = await ben.client.put(`${comments}/${made.id}`, { body: 'Right.', mentions: [] })
      assert.deepEqual(expectStatus(edited, 200).body.data.mentions, [])
      assert.equal((await ben.client.get(comments)).body.data.length, 1)
      await Promise.all([adas.close(), bens.close()])
    })
  })
})
