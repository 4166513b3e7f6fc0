import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
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

it('publishes a release whose time has come while nothing ran', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mortise-releases-'))
  const options = { database: { url: `sqlite:${join(folder, 'content.db')}` }, schemas }
  const first = await startService(options)
  const { id: entryId } = expectStatus(await first.admin.post('/api/content/page', { title: 'One' }), 201)
    .body.data
  const scheduledAt = new Date(Date.now() + 3_000).toISOString()
  const { id } = expectStatus(await first.admin.post(path, { name: 'Later', scheduledAt }), 201).body.data
  const entry = { contentType: 'page', entryId }
  expectStatus(await first.admin.post(`${path}/${id}/entries`, entry), 201)
  await first.stop()
  await until(() => Date.now() > Date.parse(scheduledAt), 'its time has come')

  const second = await startService(options)
  try {
    const statusOf = async () => (await second.admin.get(`${path}/${id}`)).body.data.status
    await until(async () => (await statusOf()) === 'published', 'the release is published')
    const { data } = (await second.admin.get(`/api/content/page/${entryId}`)).body
    assert.equal(typeof data.published_at, 'string')
  } finally {
    await second.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
