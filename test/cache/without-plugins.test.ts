import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { expectStatus } from '../api/auth-callers.ts'
import { createClient } from '../support/client.ts'
import { createProject } from '../support/project.ts'
import { slow } from '../support/scope.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { openToReaders, schemas, statusOf } from './world.ts'

interface Left {
  /** Whether answers come from memory. */
  readonly isKept: boolean
  /** What the feed of changes answers. */
  readonly feed: number
}

/** What is left when these are switched off. */
const cases: Readonly<Record<string, Left>> = {
  live: { isKept: true, feed: 200 },
  cache: { isKept: false, feed: 200 },
  signals: { isKept: true, feed: 200 },
  'live,cdn,change-feed': { isKept: true, feed: 404 },
  'signals,live,overload,redis': { isKept: true, feed: 200 },
  alerts: { isKept: true, feed: 200 },
  graphql: { isKept: true, feed: 200 },
  'cache,changes,change-feed,live,cdn': { isKept: false, feed: 404 },
}

describe('two processes without', slow, () => {
  for (const [disabled, { isKept, feed }] of Object.entries(cases)) {
    it(disabled, async (test) => {
      const project = await createProject({ database: 'sqlite', schemas })
      test.after(() => project.remove())
      const env = {
        SVC_PLUGINS_DISABLED: disabled,
        SVC_CACHE_MAX_STALENESS_MS: '0',
        SVC_LOCALIZATION_LOCALES: '["en","de"]',
      }
      const start = async () => {
        const service = await startService({
          database: { url: project.env.DATABASE_URL ?? '' },
          schemas,
          env,
        })
        test.after(() => service.stop())
        return service
      }
      const [first, second] = [await start(), await start()]
      await openToReaders(first.admin)
      const client = createClient(second.url)
      await until(async () => (await client.get('/api/content/author')).status === 200, 'all may read')
      const { id } = expectStatus(await first.admin.post('/api/content/author', { name: 'a' }), 201).body.data
      for (const name of ['b', 'c']) {
        const path = `/api/content/author/${id}`
        const statuses = []
        for (let times = 0; times < 4; times++) statuses.push(statusOf(await client.get(path)))
        assert.equal(statuses.includes('hit'), isKept, `${statuses}`)
        expectStatus(await first.admin.put(path, { name }), 200)
        assert.equal((await client.get(path)).body.data.name, name)
      }
      expectStatus(await second.admin.get('/api/changes'), feed)
    })
  }
})
