import assert from 'node:assert/strict'
import { sql } from 'drizzle-orm'
import type { Driver } from '../../core-plugins/foundation/database/driver.ts'
import type { Client } from '../support/client.ts'
import { type CrashWorld, crashTest, type Running, type Scenario } from './crash-test.ts'
import { eventually } from './eventually.ts'
import type { LoadClient } from './load.ts'
import { checkNothingRuns, expectNoJobs, storedJobs } from './remains.ts'

const schemas = {
  'page.json': {
    kind: 'collectionType',
    info: { singularName: 'page', pluralName: 'pages', displayName: 'Page' },
    options: { draftAndPublish: true },
    attributes: { title: { type: 'string' } },
  },
}

const pagesOfRelease = 6
/** Times must be in the future when they arrive, and machines are busy. */
const shortestWaitMs = 500
const longestWaitMs = 500

/** A release whose entries and time were acknowledged. */
interface KnownRelease {
  readonly id: number
  readonly pages: readonly number[]
  /**
   * `scheduled` must be published in the end, `published` was acknowledged, and `asked` had no answer: it is published
   * whole, or not at all.
   */
  state: 'scheduled' | 'published' | 'asked'
}

/** A page with its release. */
interface StoredPage {
  readonly releaseId: number
  readonly status: string
  readonly page: number
  readonly publishedAt: string | null
  /** How often it was published, by its history. */
  readonly publications: number
}

async function createScenario(world: CrashWorld): Promise<Scenario> {
  const known: KnownRelease[] = []

  /** Makes one release after another, and publishes every other one by hand. */
  async function work(load: LoadClient): Promise<void> {
    while (!load.isOver()) {
      const isScheduled = load.random.chance(0.5)
      const release = await makeRelease(load, isScheduled)
      load.acknowledge()
      if (release.state === 'asked') {
        expectStatus(await load.client.post(`/api/admin/content-releases/${release.id}/publish`), 200)
        release.state = 'published'
        load.acknowledge()
      }
    }
  }

  async function makeRelease({ client, random }: LoadClient, isScheduled: boolean): Promise<KnownRelease> {
    const id = await make(client, '/api/admin/content-releases', { name: 'a release' })
    const pages: number[] = []
    while (pages.length < pagesOfRelease) {
      const page = await make(client, '/api/content/page', { title: `of release ${id}` })
      const item = { contentType: 'page', entryId: page, action: 'publish' }
      await make(client, `/api/admin/content-releases/${id}/entries`, item)
      pages.push(page)
    }
    const release: KnownRelease = { id, pages, state: 'asked' }
    known.push(release)
    if (isScheduled) {
      const scheduledAt = new Date(Date.now() + shortestWaitMs + random.below(longestWaitMs)).toISOString()
      expectStatus(await client.put(`/api/admin/content-releases/${id}`, { scheduledAt }), 200)
      release.state = 'scheduled'
    }
    return release
  }

  async function check(): Promise<void> {
    const pages = await world.look(storedPages)
    for (const { id, pages: ids, state } of known) {
      const own = pages.filter(({ releaseId }) => releaseId === id)
      assert.deepEqual(own.map(({ page }) => page).sort(), [...ids].sort(), `the entries of release ${id}`)
      const isPublished = own[0]?.publishedAt !== null
      for (const { status, publishedAt, publications } of own) {
        assert.equal(publishedAt, own[0]?.publishedAt, `release ${id} is published in part`)
        assert.equal(status === 'published', isPublished, `release ${id} is ${status}; its entries differ`)
        assert.equal(publications, Number(isPublished), `publications of an entry of release ${id}`)
      }
      if (state === 'published') assert.ok(isPublished, `release ${id} was acknowledged`)
    }
  }

  return {
    clients: 3,
    work,
    check,
    async finish([first]: readonly Running[]) {
      assert.ok(first)
      await eventually(() => expectNoJobs(first.client))
      for (const release of known) if (release.state === 'scheduled') release.state = 'published'
      await check()
      await world.look(async (database) => checkNothingRuns(await storedJobs(database)))
    },
  }
}

async function make(client: Client, path: string, body: object): Promise<number> {
  const answer = await client.post(path, body)
  expectStatus(answer, 201)
  return answer.body.data.id
}

function expectStatus({ status, body }: { status: number; body: unknown }, wanted: number): void {
  assert.equal(status, wanted, JSON.stringify(body))
}

/** With one statement, as releases are published meanwhile. */
async function storedPages(database: Driver): Promise<StoredPage[]> {
  const as = (name: keyof StoredPage) => sql`as ${sql.identifier(name)}`
  return database.all(
    database.prepare<StoredPage>(
      sql`select r.id ${as('releaseId')}, r.status ${as('status')}, p.id ${as('page')},
        p.published_at ${as('publishedAt')}, (select count(*) from svc_revisions v
        where v.type = 'page' and v.entry_id = p.id and v.action = 'publish') ${as('publications')}
        from svc_releases r join svc_release_items i on i.release_id = r.id
        join content_page p on p.id = i.entry_id order by p.id`,
      { releaseId: 'id', page: 'id', publishedAt: 'datetime', publications: 'integer' },
    ),
  )
}

crashTest('publishing releases', { kills: 9, project: { schemas }, create: createScenario })
