import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { sql } from 'drizzle-orm'
import { jobsService } from '../../core-plugins/background/jobs/jobs.ts'
import { changeLogService } from '../../core-plugins/entries/changes/changes.ts'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { expectStatus, newApiToken, problemsOf } from '../api/auth-callers.ts'
import type { Answer, Client } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { createProject, type Project } from '../support/project.ts'
import { slow } from '../support/scope.ts'
import type { TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { brief, Follower, listed, openToAll, Replica, startFeedService, type Told } from './feed-world.ts'

eachDatabase(({ name }) => {
  let project: Project
  let service: TestService
  let other: TestService
  let admin: Client
  /** May read pages, published ones. */
  let reader: Client
  /** Sees drafts of pages. */
  let drafter: Client

  before(async () => {
    project = await createProject({ database: name })
    const database = { url: project.env.DATABASE_URL ?? '' }
    const env = { SVC_DATA_DIR: join(project.workingDirectory, 'data') }
    service = await startFeedService(database, { env })
    other = await startFeedService(database, { env })
    admin = service.admin
    await openToAll(service, ['page', 'badge', 'text'])
    reader = (await newApiToken(service, ['content:read:page'])).client
    drafter = (await newApiToken(service, ['content:read:page', 'content:drafts'])).client
  })
  after(async () => {
    await other.stop()
    await service.stop()
    await project.remove()
  })

  const path = (type: string, rest = '') => `/api/content/${type}${rest}`
  const create = async (type: string, data: object, client: Client = admin): Promise<number> =>
    expectStatus(await client.post(path(type), data), 201).body.data.id
  const put = async (type: string, rest: string, data?: object) =>
    expectStatus(await admin.put(path(type, rest), data), 200)
  const publish = (id: number) => put('page', `/${id}/publish`)

  /** Until all that was written has its place: otherwise it is told in more than one page. */
  const settle = () => service.kernel.get(changeLogService).head()

  async function fourFollowers() {
    const followers = [
      new Follower(service),
      new Follower(reader),
      new Follower(drafter),
      new Follower(admin),
    ]
    for (const follower of followers) await follower.begin()
    return async () => {
      const [anonymous, oneType, drafts, all] = await Promise.all(followers.map((each) => each.news()))
      return { anonymous, oneType, drafts, all }
    }
  }
  const everybody = (...told: string[]) => ({ anonymous: told, oneType: told, drafts: told, all: told })
  const insiders = (...told: string[]) => ({ ...everybody(), drafts: told, all: told })

  it('tells everyone what they may see of the life of an entry', async () => {
    const news = await fourFollowers()
    const id = await create('page', { title: 'One' })
    assert.deepEqual(await news(), insiders(`changed page ${id}`), 'a draft')
    await put('page', `/${id}`, { title: 'Two' })
    assert.deepEqual(await news(), insiders(`changed page ${id}`), 'a change of a draft')
    await publish(id)
    assert.deepEqual(await news(), everybody(`changed page ${id}`), 'published')
    await put('page', `/${id}`, { title: 'Three' })
    assert.deepEqual(await news(), everybody(), 'a pending draft')
    await publish(id)
    assert.deepEqual(await news(), everybody(`changed page ${id}`), 'with the draft')
    await put('page', `/${id}/unpublish`)
    assert.deepEqual(
      await news(),
      { ...insiders(`changed page ${id}`), anonymous: [`gone page ${id}`], oneType: [`gone page ${id}`] },
      'unpublished',
    )
    await admin.delete(path('page', `/${id}`))
    assert.deepEqual(await news(), insiders(`gone page ${id}`), 'a draft in the trash')
    await admin.post(path('page', `/${id}/restore`))
    assert.deepEqual(await news(), insiders(`changed page ${id}`), 'back')
    await publish(id)
    await news()
    await admin.delete(path('page', `/${id}`))
    assert.deepEqual(await news(), everybody(`gone page ${id}`), 'in the trash')
    await admin.post(path('page', `/${id}/restore`))
    assert.deepEqual(await news(), everybody(`changed page ${id}`), 'back for all')
    await admin.delete(path('page', `/${id}?permanent=true`))
    assert.deepEqual(await news(), everybody(`gone page ${id}`), 'gone for good')
  })

  it('tells of an entry when its time comes, and when it is postponed', async () => {
    const news = await fourFollowers()
    const id = await create('page', { title: 'Later' })
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString()
    await put('page', `/${id}/publish`, { publishedAt: inAnHour })
    assert.deepEqual(await news(), insiders(`changed page ${id}`), 'for later')
    await publish(id)
    assert.deepEqual(await news(), everybody(`changed page ${id}`), 'now')
    await put('page', `/${id}/publish`, { publishedAt: inAnHour })
    const gone = [`gone page ${id}`]
    assert.deepEqual(await news(), { ...insiders(`changed page ${id}`), anonymous: gone, oneType: gone })
    const follower = await new Follower(service).begin()
    await put('page', `/${id}/publish`, { publishedAt: new Date(Date.now() + 300).toISOString() })
    await until(async () => {
      await service.kernel.get(jobsService).drain()
      return (await follower.news()).includes(`changed page ${id}`)
    })
  })

  it('tells callers only of types that they may read', async () => {
    const news = await fourFollowers()
    const badge = await create('badge', { title: 'Of all' })
    const secret = await create('secret', { title: 'Of few' })
    assert.deepEqual(await news(), {
      anonymous: [`changed badge ${badge}`],
      oneType: [],
      drafts: [],
      all: [`changed badge ${badge}`, `changed secret ${secret}`],
    })
    const ask = (client: Client, types: string) => client.get(`/api/changes?types=${types}`)
    expectStatus(await ask(service, 'badge,secret'), 401)
    expectStatus(await ask(reader, 'badge'), 403)
    expectStatus(await ask(reader, 'nothing'), 403)
    assert.deepEqual(problemsOf(expectStatus(await ask(admin, 'nothing'), 400)), { types: 'unknown' })
    for (const system of ['user', 'role', 'media-folder']) expectStatus(await ask(admin, system), 400)
    expectStatus(await ask(service, 'user'), 401)
  })

  it('tells of media those who may read them, and of users nobody', slow, async () => {
    const mediaReader = (await newApiToken(service, ['media:read'])).client
    const followers = [
      new Follower(service),
      new Follower(mediaReader, '&include=entry'),
      new Follower(reader),
    ]
    for (const follower of followers) await follower.begin()
    const body =
      '--x\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello\r\n--x--\r\n'
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    const { id } = expectStatus(await admin.post('/api/upload', body, { headers }), 201).body.data
    await service.post('/api/auth/register', {
      ...{ email: `${name}@example.com`, username: `u-${name}`, password: 'correct horse battery' },
    })
    const [anonymous, media, pages] = await Promise.all(followers.map((each) => each.all()))
    assert.deepEqual(anonymous, [])
    assert.deepEqual(pages, [])
    assert.deepEqual(media?.map(brief), [`changed media ${id}`])
    assert.deepEqual(media?.[0]?.entry, (await admin.get(`/api/media/${id}`)).body.data)
    expectStatus(await admin.delete(`/api/media/${id}`), 200)
    assert.deepEqual(await followers[1]?.news(), [`gone media ${id}`])
  })

  it('says nothing by which one could infer what is hidden', async () => {
    const visible = await create('page', { title: 'Visible' })
    await publish(visible)
    const follower = await new Follower(service, '&include=entry').begin()
    await put('page', `/${visible}/unpublish`)
    const [before] = await follower.all()
    await follower.begin()
    await publish(visible)
    const from = follower.cursor
    await put('page', `/${visible}/unpublish`)
    const unpublished = (await follower.all()).map(({ at }) => at)
    // Edited in secret, within the same stretch.
    await put('page', `/${visible}`, { title: 'Hidden again' })
    await settle()
    follower.cursor = from
    const [told, ...others] = await follower.all()
    assert.deepEqual(others, [])
    assert.deepEqual([told?.kind, told?.at, told?.entry], ['gone', unpublished.at(-1), undefined])
    assert.equal(before?.entry, undefined)
  })

  it('tells what has lost a reference, if it is visible', async () => {
    const badge = await create('badge', { title: 'Dies' })
    const shown = await create('page', { title: 'Shown', badge })
    await publish(shown)
    await create('page', { title: 'Hidden', badge })
    const follower = await new Follower(reader).begin()
    await admin.delete(path('badge', `/${badge}`))
    assert.deepEqual(await follower.news(), [`changed page ${shown}`])
  })

  it('narrows to a locale', async () => {
    const german = await new Follower(service, '&locale=de&types=text').begin()
    const all = await new Follower(service, '&types=text').begin()
    const en = await create('text', { title: 'Hello' })
    const localize = await admin.post(path('text', `/${en}/localizations`), { locale: 'de', title: 'Hallo' })
    const de = expectStatus(localize, 201).body.data.id
    for (const id of [en, de]) await put('text', `/${id}/publish`)
    await settle()
    const told = await all.all()
    assert.deepEqual(
      told.map(({ id, locale }) => [id, locale]),
      [
        [en, 'en'],
        [de, 'de'],
      ],
    )
    assert.deepEqual(await german.news(), [`changed text ${de}`])
    for (const id of [en, de]) await admin.delete(path('text', `/${id}`))
    await settle()
    const gone = await german.all()
    assert.deepEqual(
      gone.map(({ id, kind, locale }) => [id, kind, locale]),
      [[de, 'gone', 'de']],
    )
    const refused = expectStatus(await service.get('/api/changes?locale=xx'), 400)
    assert.deepEqual(problemsOf(refused), { locale: 'enum' })
  })

  it('tells every entry once a page, at its last change, with itself as it is', async () => {
    const follower = await new Follower(admin, '&types=badge').begin()
    const [first, second] = [await create('badge', { title: '1' }), await create('badge', { title: '2' })]
    await put('badge', `/${first}`, { title: '1!' })
    await settle()
    const told = await follower.all('&include=entry')
    assert.deepEqual(
      told.map(({ id, entry }) => [id, entry?.title]),
      [
        [second, '2'],
        [first, '1!'],
      ],
    )
    assert.deepEqual(told[1]?.entry, (await admin.get(path('badge', `/${first}`))).body.data)
    // Each change has a cursor of its own to go on from.
    follower.cursor = told[0]?.cursor ?? ''
    assert.deepEqual(await follower.news(), [`changed badge ${first}`])
  })

  it('answers as much as an answer may hold, and leaves out what does not fit', slow, async () => {
    const small = {
      SVC_API_RESPONSE_MAX_BYTES: '10000',
      SVC_DATA_DIR: join(project.workingDirectory, 'data'),
    }
    const narrow = await startFeedService({ url: project.env.DATABASE_URL ?? '' }, { env: small })
    try {
      const follower = await new Follower(narrow.admin, '&include=entry&types=badge').begin()
      const ids: number[] = []
      for (let index = 0; index < 60; index++) ids.push(await create('badge', { title: 'x'.repeat(240) }))
      const large = await create('badge', { body: 'x'.repeat(20_000) })
      await follower.ask().then(({ body }) => assert.equal(body.pagination.hasMore, true))
      const told = await follower.all()
      assert.deepEqual(
        told.map(({ id, entry }) => entry?.id ?? -id),
        [...ids, -large],
      )
      const shown = expectStatus(
        await narrow.admin.get('/api/changes/snapshot?types=badge&include=entry'),
        200,
      )
      assert.equal(shown.body.pagination.hasMore, true)
    } finally {
      await narrow.stop()
    }
  })

  it('refuses cursors of other logs, of the future and of the past', async () => {
    const log = service.kernel.get(changeLogService)
    const head = await log.head()
    const cursors = [
      log.cursorOf(head).replace(log.epoch, '0123456789ab'),
      `${log.epoch}.${'A'.repeat(22)}`,
      log.cursorOf(head + 1_000),
    ]
    for (const cursor of cursors) {
      const answer = expectStatus(await service.get(`/api/changes?since=${cursor}`), 410)
      assert.equal(answer.body.error.code, 'CURSOR_EXPIRED')
      assert.deepEqual(problemsOf(answer), { since: 'expired' })
      assert.equal(answer.headers.get('cache-control'), 'no-store')
    }
    for (const cursor of ['', 'x', `${log.epoch}.`, `${log.epoch}.-1`]) {
      expectStatus(await service.get(`/api/changes?since=${cursor}`), 400)
    }
    const page = expectStatus(await service.get('/api/changes/snapshot?limit=1'), 200).body
    const forged = page.pagination.nextCursor.replace(log.epoch, '0123456789ab')
    expectStatus(await service.get(`/api/changes/snapshot?cursor=${forged}`), 410)
    for (const cursor of ['x', 'a.b.c', 'a.b.c.d.e', 'a.b.c.!']) {
      const refused = expectStatus(await service.get(`/api/changes/snapshot?cursor=${cursor}`), 400)
      assert.deepEqual(problemsOf(refused), { cursor: 'pattern' })
    }
  })

  it('bounds what a request may ask for', async () => {
    const refusals: Record<string, string> = {
      'limit=1001': 'limit',
      'limit=0': 'limit',
      'wait=31': 'wait',
      'include=all': 'include',
      [`types=${Array.from({ length: 51 }, (_, index) => `t${index}`).join()}`]: 'types',
      'types=%20,': 'types',
      'nothing=1': 'nothing',
    }
    for (const [query, named] of Object.entries(refusals)) {
      const answer = expectStatus(await admin.get(`/api/changes?${query}`), 400)
      assert.deepEqual(Object.keys(problemsOf(answer)), [named], query)
    }
  })

  it('agrees with the database after a snapshot and while others write', slow, async () => {
    const types = ['badge', 'page', 'text']
    const query = `types=${types}&limit=7`
    const replicas = [new Replica(service, query), new Replica(other.admin, query), new Replica(other, query)]
    let isWriting = true
    const write = async (client: Client, seed: number) => {
      const own: number[] = []
      for (let round = 0; round < 30; round++) {
        const type = types[(round + seed) % 2] ?? 'page'
        const id = await create(type, { title: `${seed}.${round}` }, client)
        if (type === 'page') own.push(id)
        const page = own[(round * 7 + seed) % Math.max(own.length, 1)]
        if (page === undefined) continue
        const one = path('page', `/${page}`)
        const steps = [
          () => client.put(`${one}/publish`),
          () => client.put(one, { title: `changed ${round}` }),
          () => client.put(`${one}/unpublish`),
          () => client.delete(one),
          () => client.put(`${one}/publish`),
        ]
        await steps[(round + seed) % steps.length]?.()
      }
    }
    const writing = Promise.all(
      [service, other, service].map(({ admin }, index) => write(admin, index)),
    ).finally(() => {
      isWriting = false
    })
    await Promise.all(
      replicas.map(async (replica) => {
        while (isWriting) await replica.step()
      }),
    )
    await writing
    for (const replica of replicas) await replica.catchUp()
    const sorted = (entries: ReadonlyMap<string, string>) => [...entries].sort()
    assert.deepEqual(sorted(replicas[0]?.entries ?? new Map()), sorted(await listed(service, types)))
    assert.deepEqual(sorted(replicas[1]?.entries ?? new Map()), sorted(await listed(other.admin, types)))
    assert.deepEqual(sorted(replicas[2]?.entries ?? new Map()), sorted(await listed(service, types)))
  })

  it('a snapshot narrows to what is asked for', async () => {
    const read = async (client: Client, query: string) =>
      expectStatus(await client.get(`/api/changes/snapshot?${query}`), 200).body
    const { data, pagination } = await read(reader, 'limit=1000')
    assert.deepEqual(
      data.map(brief),
      [...(await listed(reader, ['page'])).keys()].map((key) => `changed ${key}`),
    )
    assert.equal(pagination.nextCursor, null)
    assert.equal(pagination.next, `/api/changes?since=${pagination.since}&limit=1000`)
    const inPages: Told[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Answer['body'] = await read(reader, `limit=2&cursor=${cursor}`)
      assert.ok(page.data.length <= 2)
      inPages.push(...page.data)
      cursor = page.pagination.nextCursor
    }
    assert.deepEqual(inPages, data)
    const german = (await read(admin, 'types=badge,text&locale=de')).data
    assert.equal(
      german.some(({ type }: { type: string }) => type === 'badge'),
      true,
    )
    assert.equal(
      german.every(
        ({ type, locale }: { type: string; locale: string }) => type === 'badge' || locale === 'de',
      ),
      true,
    )
    expectStatus(await service.get('/api/changes/snapshot?types=secret'), 401)
  })

  it('a cursor expires with what was kept', async () => {
    const follower = await new Follower(service).begin()
    await create('badge', { title: 'Too old' })
    const floor = await service.kernel.get(changeLogService).head()
    const database = service.kernel.get(databaseService)
    await database.run(database.prepare(sql`update svc_changes_state set floor = ${sql.raw(String(floor))}`))
    expectStatus(await follower.ask(), 410)
    await follower.begin()
    expectStatus(await follower.ask(), 200)
  })

  it('a cursor expires by a restore', slow, async () => {
    const follower = await new Follower(service).begin()
    const { id } = expectStatus(await admin.post('/api/admin/backups', { name: 'all' }), 201).body.data
    expectStatus(await admin.post(`/api/admin/backups/${id}/restore`, { dryRun: false }), 200)
    const expired = expectStatus(await follower.ask(), 410)
    assert.equal((expired.body as never as { error: { code: string } }).error.code, 'CURSOR_EXPIRED')
    await follower.begin()
    expectStatus(await follower.ask(), 200)
  })
})
