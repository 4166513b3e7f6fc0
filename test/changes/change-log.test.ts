import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { jobsService } from '../../core-plugins/background/jobs/jobs.ts'
import { createChangeStore } from '../../core-plugins/entries/changes/change-store.ts'
import { type Change, changeLogService } from '../../core-plugins/entries/changes/changes.ts'
import { prune } from '../../core-plugins/entries/changes/prune.ts'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { expectStatus, newApiToken, newUser } from '../api/auth-callers.ts'
import type { Client } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { createProject, type Project } from '../support/project.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const relation = (target: string, onDelete: string) => ({
  type: 'relation',
  relation: 'manyToOne',
  target,
  onDelete,
})
const typeFile = (name: string, attributes: object, options: object = {}) => ({
  [`${name}.json`]: {
    kind: 'collectionType',
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options,
    attributes: { title: { type: 'string', unique: true }, ...attributes },
  },
})
const schemas = {
  ...typeFile('person', {}),
  ...typeFile(
    'page',
    { author: relation('person', 'SET NULL'), rank: { type: 'integer' } },
    { draftAndPublish: true, draftOverlay: true, softDelete: true },
  ),
  ...typeFile('badge', { owner: relation('person', 'CASCADE') }),
  ...typeFile('note', { writer: relation('user', 'SET NULL') }),
}

const part = [
  '--x\r\ncontent-disposition: form-data; name="file"; filename="hello.txt"\r\n',
  'content-type: text/plain\r\n\r\n',
]

/** A change in short: `update page 3 title,rank`. */
const told = ({ kind, type, entryId, fields }: Change) =>
  [kind, type, entryId, fields && [...fields].filter((name) => name !== 'updated_at').join()]
    .filter((part) => part !== undefined && part !== '')
    .join(' ')

eachDatabase(({ name }) => {
  let project: Project
  let service: TestService
  let other: TestService
  let admin: Client

  const logOf = ({ kernel }: TestService) => kernel.get(changeLogService)
  const path = (type: string, rest = '') => `/api/content/${type}${rest}`
  const create = async (type: string, data: object, client: Client = admin): Promise<number> =>
    expectStatus(await client.post(path(type), data), 201).body.data.id

  /** Everything that was logged while `work` ran. */
  async function during(work: () => Promise<unknown>): Promise<readonly Change[]> {
    const log = logOf(service)
    const from = await log.head()
    await work()
    await log.head()
    const page = await log.after(from, 10_000)
    assert.ok(page !== undefined)
    return page.changes
  }

  before(async () => {
    project = await createProject({ database: name, schemas })
    const url = project.env.DATABASE_URL ?? ''
    // Either of them may run the job that makes a backup.
    const env = {
      SVC_DATA_DIR: join(project.workingDirectory, 'data'),
      // It notes when its index is rebuilt, as after a restore.
      SVC_PLUGINS_DISABLED: 'search',
    }
    service = await startService({ database: { url }, schemas, env })
    other = await startService({ database: { url }, schemas, env })
    admin = service.admin
  })
  after(async () => {
    await other.stop()
    await service.stop()
    await project.remove()
  })

  it('tells every write of every kind, with what changed, in order', async () => {
    const person = await create('person', { title: 'Ada' })
    let page = 0
    const changes = await during(async () => {
      page = await create('page', { title: 'One', author: person })
      await admin.put(path('page', `/${page}`), { title: 'One!', rank: 3 })
      await admin.put(path('page', `/${page}/publish`))
      await admin.put(path('page', `/${page}`), { title: 'Drafted' })
      await admin.put(path('page', `/${page}/publish`))
      await admin.put(path('page', `/${page}/unpublish`))
      await admin.delete(path('page', `/${page}`))
      await admin.post(path('page', `/${page}/restore`))
      await admin.delete(path('page', `/${page}?permanent=true`))
    })
    assert.deepEqual(changes.map(told), [
      `create page ${page}`,
      `update page ${page} title,rank`,
      `update page ${page} published_at`,
      `draft page ${page}`,
      `update page ${page} title`,
      `update page ${page} published_at`,
      `delete page ${page}`,
      `create page ${page}`,
      `delete page ${page}`,
    ])
    const publicity = changes.map(({ wasPublic, isPublic }) => `${Number(wasPublic)}${Number(isPublic)}`)
    assert.deepEqual(publicity, ['00', '00', '01', '00', '11', '10', '00', '00', '00'])
    assert.deepEqual(changes[1]?.before?.title, 'One')
    assert.deepEqual(changes[1]?.after?.title, 'One!')
    const operations = changes.map(({ origin }) => origin?.operation)
    const expected = 'create update publish draft publish unpublish delete update delete'
    assert.equal(operations.join(' '), expected)
  })

  it('tells who has written, and which version that has led to, also of drafts and of many at once', async () => {
    const { client } = await newApiToken(service, ['admin:*'])
    let ids: number[] = []
    const changes = await during(async () => {
      ids = [await create('page', { title: 'Many 1' }, client), await create('page', { title: 'Many 2' })]
      expectStatus(await client.post(path('page', '/bulk-publish'), { ids }), 200)
      const drafted = await client.put(path('page', `/${ids[0]}`), { title: 'Many 1, drafted' })
      expectStatus(drafted, 200)
    })
    const by = changes.map(({ entryId, origin }) => [entryId, origin?.operation, origin?.by?.kind])
    const [first, second] = ids
    assert.deepEqual(by, [
      [first, 'create', 'token'],
      [second, 'create', 'admin'],
      [first, 'publish', 'token'],
      [second, 'publish', 'token'],
      [first, 'draft', 'token'],
    ])
    const shown = await admin.get(path('page', `/${first}?draft=true`))
    assert.equal(changes.at(-1)?.origin?.version, shown.body.data.updated_at)
    assert.equal(changes[2]?.origin?.version, changes[2]?.after?.updated_at)
  })

  it('tells what loses a reference, and what goes with it', async () => {
    const person = await create('person', { title: 'Grace' })
    const page = await create('page', { title: 'By Grace', author: person })
    const badge = await create('badge', { title: 'Of Grace', owner: person })
    const changes = await during(() => admin.delete(path('person', `/${person}`)))
    assert.deepEqual(
      new Set(changes.map(told)),
      new Set([
        `delete badge ${badge}`,
        `detach page ${page}`,
        `update page ${page}`,
        `delete person ${person}`,
      ]),
    )
  })

  it('tells of content users that entries show, and of media', slow, async () => {
    const user = await newUser(service)
    const note = await create('note', { title: 'By a user', writer: user.id })
    const changes = await during(async () => {
      expectStatus(await admin.put(`/api/admin/content-users/${user.id}`, { username: 'renamed' }), 200)
      expectStatus(await admin.delete(`/api/admin/content-users/${user.id}`), 200)
    })
    assert.deepEqual(changes.map(told), [
      `update user ${user.id}`,
      `detach note ${note}`,
      `update note ${note}`,
      `delete user ${user.id}`,
    ])
    assert.equal((await admin.get(path('note', `/${note}`))).body.data.writer, null)

    const uploaded = await during(() =>
      admin.post('/api/upload', [...part, 'hello', '\r\n--x--\r\n'].join(''), {
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
      }),
    )
    const id = uploaded[0]?.entryId
    assert.deepEqual(uploaded.map(told), [`create media ${id}`])
    const described = await during(() => admin.put(`/api/media/${id}`, { alt: 'A greeting' }))
    assert.deepEqual(described.map(told), [`update media ${id} alt`])
    const removed = await during(() => admin.delete(`/api/media/${id}`))
    assert.deepEqual(removed.map(told), [`delete media ${id}`])
  })

  it('has nothing of what was rolled back', async () => {
    await create('person', { title: 'Taken' })
    const changes = await during(async () => {
      expectStatus(await admin.post(path('person'), { title: 'Taken' }), 409)
      const ids = [await create('person', { title: 'Free' }), 999_999]
      expectStatus(await admin.delete(path('person', '/bulk-delete'), { ids }), 404)
    })
    assert.equal(changes.length, 1)
  })

  it('says so when the time of a publication comes', async () => {
    const id = await create('page', { title: 'Later' })
    const changes = await during(async () => {
      const publishedAt = new Date(Date.now() + 400).toISOString()
      expectStatus(await admin.put(path('page', `/${id}/publish`), { publishedAt }), 200)
      await until(async () => {
        await service.kernel.get(jobsService).drain()
        const { data } = (await admin.get('/api/admin/jobs?name=changes.notePublication&limit=1')).body
        return data[0]?.status === 'completed'
      })
    })
    assert.deepEqual(changes.map(told), [`update page ${id} published_at`, `flip page ${id}`])
    assert.deepEqual(
      changes.map(({ isPublic }) => isPublic),
      [false, true],
    )
  })

  it('loses nothing and keeps the order while two processes write at once', async () => {
    const log = logOf(service)
    const from = await log.head()
    const followed: Change[] = []
    let isWriting = true
    const follow = async () => {
      let position = from
      for (;;) {
        const isLast = !isWriting
        await log.head()
        const page = await log.after(position, 7)
        assert.ok(page !== undefined)
        followed.push(...page.changes)
        position = page.position
        if (isLast && !page.hasMore) return
        await new Promise(setImmediate)
      }
    }
    const versions = new Map<number, string[]>()
    const write = async (client: Client, writer: number) => {
      for (let round = 0; round < 12; round++) {
        const id = await create('person', { title: `w${writer} r${round}` }, client)
        versions.set(id, [])
        for (const title of ['a', 'b']) {
          const changed = await client.put(path('person', `/${id}`), { title: `${id}${title}` })
          versions.get(id)?.push(expectStatus(changed, 200).body.data.updated_at)
        }
        if (round % 3 === 0) await client.post(path('person'), { title: 'Taken' })
        if (round % 4 === 0) expectStatus(await client.delete(path('person', `/${id}`)), 200)
      }
    }
    const writers = [service, other, service, other].map(({ admin }, index) => write(admin, index))
    const following = follow()
    await Promise.all(writers)
    isWriting = false
    await following

    const positions = followed.map(({ position }) => Number(position))
    assert.deepEqual(
      positions,
      [...new Set(positions)].sort((left, right) => left - right),
    )
    assert.equal(new Set(followed.map(({ uid }) => uid)).size, followed.length)
    assert.equal(versions.size, 48)
    for (const [id, expected] of versions) {
      const own = followed.filter(({ entryId }) => entryId === id)
      assert.deepEqual(
        own.slice(0, 3).map(({ kind }) => kind),
        ['create', 'update', 'update'],
      )
      assert.deepEqual(
        own.slice(1, 3).map((change) => change.after?.updated_at),
        expected,
      )
    }
  })

  it('one look sees everything that another process has acknowledged', async () => {
    const { tail } = logOf(other)
    for (let round = 0; round < 30; round++) {
      const id = await create('person', { title: `seen ${round}` })
      await tail.check()
      const newest = Array.from({ length: 5 }, (_, back) => tail.at(tail.generation - back)?.entryId)
      assert.ok(newest.includes(id), `round ${round}: ${id} is not among ${newest}`)
      await admin.delete(path('person', `/${id}`))
    }
  })

  it('own changes are applied before a write is acknowledged, and once', async () => {
    const { tail } = logOf(service)
    await tail.check()
    const before = tail.generation
    const id = await create('person', { title: 'Own' })
    assert.equal(tail.at(tail.generation)?.entryId, id)
    await logOf(service).head()
    await tail.check()
    assert.equal(tail.generation, before + 1)
  })

  it('a restored backup is a reset: nobody reads on over it', slow, async () => {
    const log = logOf(service)
    const { id } = expectStatus(await admin.post('/api/admin/backups', { name: 'all' }), 201).body.data
    const from = await log.head()
    const { tail } = logOf(other)
    await tail.check()
    const known = tail.generation
    expectStatus(await admin.post(`/api/admin/backups/${id}/restore`, { dryRun: false }), 200)
    // Either process may have carried it out, so that its change has no position yet.
    const head = await log.head()
    assert.equal(await log.after(from, 100), undefined)
    assert.notEqual(await log.after(head, 100), undefined)
    await tail.check()
    assert.ok(tail.generationOf('person') > known)
  })

  it('forgets what is old or too much from its beginning on, and says so to whoever was there', async () => {
    const log = logOf(service)
    const store = createChangeStore(service.kernel.get(databaseService))
    const { signal } = new AbortController()
    const changes = await during(async () => {
      for (const title of ['Old 1', 'Old 2', 'Old 3']) await create('person', { title })
    })
    const [first = 0, second = 0, third = 0] = changes.map(({ position }) => position)
    const [past, future] = [-86_400_000, 1_000].map((ms) => new Date(Date.now() + ms).toISOString())
    await prune(store, { from: String(past), maxRows: 1_000_000 }, signal)
    assert.equal((await log.after(first - 1, 10))?.changes.length, 3)
    await prune(store, { from: String(past), maxRows: third - first }, signal)
    assert.equal(await log.after(first - 1, 10), undefined)
    const left = await log.after(first, 10)
    assert.deepEqual(
      left?.changes.map(({ position }) => position),
      [second, third],
    )
    await prune(store, { from: String(future), maxRows: 1_000_000 }, signal)
    assert.equal(await log.after(first, 10), undefined)
    assert.deepEqual((await log.after(await log.head(), 10))?.changes, [])
    // Whoever has seen everything misses nothing, however long nothing has been written.
    const next = await during(() => create('person', { title: 'After all' }))
    assert.ok(next.length === 1 && Number(next[0]?.position) > third)
  })

  it('cursors of another log are told apart', () => {
    const log = logOf(service)
    assert.equal(log.positionIn(log.cursorOf(12_345)), 12_345)
    const digits = [1, 2, 3].map((position) => log.cursorOf(position).slice(log.epoch.length + 1))
    for (const text of digits) assert.match(text, /^[\w-]{22}$/)
    assert.equal(new Set(digits.map((text) => text.slice(0, 4))).size, 3, 'neighbours have nothing in common')
    for (const cursor of [
      '',
      '12',
      `x${log.cursorOf(3)}`,
      `${log.epoch}.`,
      `${log.epoch}.-1`,
      `${log.epoch}.zzzzzzzzzzzz`,
      `${log.epoch}.${'z'.repeat(22)}`,
    ]) {
      assert.equal(log.positionIn(cursor), undefined, cursor)
    }
  })
})
