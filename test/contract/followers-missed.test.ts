import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'drizzle-orm'
import { jobsService } from '../../core-plugins/background/jobs/jobs.ts'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { expectStatus } from '../api/auth-callers.ts'
import { startMediaService } from '../api/media-support.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const info = (name: string) => ({ singularName: name, pluralName: `${name}s`, displayName: name })

const schemas = {
  'page.json': {
    kind: 'collectionType',
    info: info('page'),
    attributes: {
      title: { type: 'string' },
      image: { type: 'media' },
      links: { type: 'component', component: 'part.link', repeatable: true },
    },
  },
  'components/part.link.json': {
    uid: 'part.link',
    category: 'part',
    info: { displayName: 'Link' },
    attributes: { to: { type: 'relation', relation: 'manyToOne', target: 'page' } },
  },
}

/** As a process of a version that has none of them is: it leaves their tables alone. */
const without = 'changes,live,change-feed,panel-events,cache,cdn,usages,search'

eachDatabase((database) => {
  const start = (url: string, off = '') =>
    startService({ database: { url }, schemas, env: { SVC_PLUGINS_DISABLED: off } })

  const pageTitled = async ({ admin }: TestService, title: string, links: readonly number[] = []) =>
    expectStatus(await admin.post('/api/content/page', { title, links: links.map((to) => ({ to })) }), 201)
      .body.data.id as number

  const cursorOf = async ({ admin }: TestService) =>
    expectStatus(await admin.get('/api/changes'), 200).body.pagination.nextCursor as string

  /** What has no position yet ends a page, and is the beginning of the next one. */
  async function lastPageAfter(service: TestService, cursor: string) {
    let page = await service.admin.get(`/api/changes?since=${cursor}`)
    while (page.body.pagination?.hasMore) page = await service.admin.get(page.body.pagination.next)
    return page
  }

  const usages = async ({ admin }: TestService, id: number) =>
    expectStatus(await admin.get(`/api/content/page/${id}/usage`), 200).body.data.usages.length as number

  const found = async ({ admin }: TestService, words: string) =>
    expectStatus(await admin.get(`/api/content/page?search=${words}`), 200).body.data.length as number

  async function onOneDatabase(work: (url: string) => Promise<void>) {
    const { url, drop } = await database.createUrl()
    try {
      await work(url)
    } finally {
      await drop()
    }
  }

  async function withService<T, S extends TestService>(
    starting: Promise<S>,
    work: (service: S) => Promise<T>,
  ) {
    const service = await starting
    try {
      return await work(service)
    } finally {
      await service.stop()
    }
  }

  it('what keeps step says what it has missed while it was off, or an earlier version wrote', slow, () =>
    onOneDatabase(async (url) => {
      const [cursor, target] = await withService(start(url), async (service) => [
        await cursorOf(service),
        await pageTitled(service, 'target'),
      ])
      await withService(start(url), async ({ admin }) => {
        const { data } = expectStatus(await admin.get(`/api/changes?since=${cursor}`), 200).body
        assert.equal(data.length, 1, 'a restart alone expires nothing')
      })
      await withService(start(url, without), async (service) => {
        await pageTitled(service, 'unnoticed', [Number(target)])
      })
      await withService(start(url), async (service) => {
        const { kernel } = service
        const { error } = expectStatus(await lastPageAfter(service, String(cursor)), 410).body
        assert.equal(error.code, 'CURSOR_EXPIRED')
        await kernel.get(jobsService).drain()
        assert.equal(await usages(service, Number(target)), 1)
        assert.equal(await found(service, 'unnoticed'), 1)
        const fresh = await cursorOf(service)
        await pageTitled(service, 'noticed')
        const { data } = expectStatus(await lastPageAfter(service, fresh), 200).body
        assert.equal(data.length, 1)
      })
    }),
  )

  it('what keeps step cannot rely on a version that does not tell what it knows', slow, () =>
    onOneDatabase(async (url) => {
      const [cursor, media] = await withService(
        startMediaService({ database: { url }, schemas }),
        async (service) => {
          // As a version leaves it that syncs tables of its own, and writes down nothing else.
          const written = sql`update svc_schema_state set hash = 'another' where name = 'schema'`
          const connected = service.kernel.get(databaseService)
          await connected.run(connected.prepare(written))
          const { id } = await service.add('a text', 'file.txt')
          expectStatus(await service.admin.post('/api/content/page', { image: id }), 201)
          await connected.run(connected.prepare(sql`delete from svc_media_usages`))
          return [await cursorOf(service), id] as const
        },
      )
      await withService(start(url), async (service) => {
        const { admin, kernel } = service
        expectStatus(await lastPageAfter(service, cursor), 410)
        await kernel.get(jobsService).drain()
        const { data } = expectStatus(await admin.get(`/api/media/${media}/usage`), 200).body
        assert.equal(data.length, 1)
      })
    }),
  )

  it('files in texts count that were written by a version which does not look into texts', slow, () =>
    onOneDatabase(async (url) => {
      const media = await withService(startMediaService({ database: { url }, schemas }), async (service) => {
        const { id, url: address } = await service.add('a text', 'file.txt')
        await pageTitled(service, address)
        const connected = service.kernel.get(databaseService)
        for (const written of [
          sql`update svc_schema_state set hash = 'another' where name in ('schema', 'known tables')`,
          sql`update svc_schema_state set tables = '["svc_media_usages"]' where name = 'known tables'`,
          sql`delete from svc_media_usages`,
        ]) {
          await connected.run(connected.prepare(written))
        }
        return id as number
      })
      await withService(start(url), async ({ admin, kernel }) => {
        await kernel.get(jobsService).drain()
        const { data } = expectStatus(await admin.get(`/api/media/${media}/usage`), 200).body
        assert.equal(data.length, 1)
      })
    }),
  )

  if (database.name === 'sqlite') return

  it('what keeps step notices a process beside it that does not', () =>
    onOneDatabase((url) =>
      withService(start(url), async (service) => {
        const cursor = await cursorOf(service)
        await withService(start(url, without), (other) => pageTitled(other, 'unnoticed'))
        await until(async () => (await service.admin.get(`/api/changes?since=${cursor}`)).status === 410)
      }),
    ))
})
