import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { expectStatus } from './auth-callers.ts'

const schemas = {
  'page.json': {
    kind: 'collectionType',
    info: { singularName: 'page', pluralName: 'pages', displayName: 'Page' },
    options: { draftAndPublish: true },
    attributes: { title: { type: 'string' } },
  },
}
const path = '/api/admin/content-releases'

eachDatabase((engine) => {
  describe('a release whose time has come while nothing ran', slow, () => {
    it('is published once, by one of four that start', async () => {
      const database = await engine.createUrl()
      const options = { database: { url: database.url }, schemas }
      const first = await startService(options)
      const { id: entryId } = expectStatus(await first.admin.post('/api/content/page', { title: 'One' }), 201)
        .body.data
      const scheduledAt = new Date(Date.now() + 3_000).toISOString()
      const { id } = expectStatus(await first.admin.post(path, { name: 'Later', scheduledAt }), 201).body.data
      const entry = { contentType: 'page', entryId }
      expectStatus(await first.admin.post(`${path}/${id}/entries`, entry), 201)
      await first.stop()
      await until(() => Date.now() > Date.parse(scheduledAt), 'its time has come')

      const started = await Promise.all(Array.from({ length: 4 }, () => startService(options)))
      try {
        const [{ admin }] = started as [(typeof started)[number]]
        const statusOf = async () => (await admin.get(`${path}/${id}`)).body.data.status
        await until(async () => (await statusOf()) === 'published', 'the release is published')
        const jobsLeft = async () => (await admin.get('/api/admin/jobs/stats')).body.data.byStatus.active
        await until(async () => (await jobsLeft()) === 0, 'nobody is at it any more')
        const { data } = (await admin.get(`/api/content/page/${entryId}`)).body
        assert.equal(typeof data.published_at, 'string')
        const revisions = (await admin.get(`/api/content/page/${entryId}/revisions`)).body.data
        const actions = revisions.map(({ action }: { action: string }) => action)
        assert.deepEqual(actions, ['publish', 'create'])
      } finally {
        for (const service of started) await service.stop()
        await database.drop()
      }
    })
  })
})
