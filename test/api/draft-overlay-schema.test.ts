import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { expectStatus, problemsOf } from './auth-callers.ts'

const page = (attributes: object, options: object = { draftAndPublish: true, draftOverlay: true }) => ({
  'page.json': {
    kind: 'collectionType',
    info: { singularName: 'page', pluralName: 'pages', displayName: 'Page' },
    options,
    attributes,
  },
})

const earlier = page({
  title: { type: 'string' },
  headline: { type: 'string' },
  gone: { type: 'string' },
  rank: { type: 'string' },
})
const later = page({
  title: { type: 'string', maxLength: 3 },
  lead: { type: 'string', renamedFrom: 'headline' },
  rank: { type: 'string' },
})

describe('a draft of an earlier schema', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mortise-drafts-'))
  const database = { url: `sqlite:${join(folder, 'content.db')}` }
  let service: TestService
  const path = '/api/content/page/1'

  before(async () => {
    service = await startService({ database, schemas: earlier })
    expectStatus(await service.admin.post('/api/content/page', { title: 'One' }), 201)
    expectStatus(await service.admin.put(`${path}/publish`), 200)
    const changes = { title: 'A long one', headline: 'Head', gone: 'x', rank: 'r' }
    expectStatus(await service.admin.put(path, changes), 200)
    await service.stop()
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  const draft = async () => expectStatus(await service.admin.get(`${path}?draft=true`), 200).body.data

  it('follows renamed attributes, and says what does not fit', async () => {
    service = await startService({ database, schemas: later })
    const { title, lead, rank, has_draft } = await draft()
    assert.deepEqual(
      { title, lead, rank, has_draft },
      { title: 'A long one', lead: 'Head', rank: 'r', has_draft: true },
    )
    const refused = expectStatus(await service.admin.put(`${path}/publish`), 400)
    assert.deepEqual(problemsOf(refused), { title: 'maxLength' })
    assert.equal((await service.admin.get(path)).body.data.title, 'One')
    expectStatus(await service.admin.put(path, { title: 'Two' }), 200)
    const published = expectStatus(await service.admin.put(`${path}/publish`), 200).body.data
    assert.deepEqual([published.title, published.lead, published.rank], ['Two', 'Head', 'r'])
    expectStatus(await service.admin.put(path, { title: '3' }), 200)
    await service.stop()
  })

  it('waits where the option is taken away, or the plugin', slow, async () => {
    for (const change of [
      { schemas: page({ title: { type: 'string' } }, { draftAndPublish: true }) },
      { schemas: later, env: { SVC_PLUGINS_DISABLED: 'drafts' } },
    ]) {
      service = await startService({ database, ...change })
      expectStatus(await service.admin.get(`${path}?draft=true`), 400)
      const answer = expectStatus(await service.admin.put(path, { title: 'Now' }), 200).body.data
      assert.equal('has_draft' in answer, false)
      assert.equal((await service.admin.get(path)).body.data.title, 'Now')
      await service.stop()
    }
    service = await startService({ database, schemas: later })
    assert.deepEqual([(await draft()).title, (await draft()).has_draft], ['3', true])
    await service.stop()
  })

  it('is documented', async () => {
    service = await startService({ database, schemas: later })
    const { paths, components } = (await service.admin.get('/api/_docs/openapi.json')).body
    const names = (operation: { parameters: { name: string }[] }) =>
      operation.parameters.map(({ name }) => name)
    assert.ok(names(paths['/content/page'].get).includes('draft'))
    assert.ok(names(paths['/content/page/{id}'].get).includes('draft'))
    assert.ok(paths['/content/{type}/{id}/draft'].delete)
    assert.ok(JSON.stringify(components).includes('has_draft'))
    await service.stop()
  })
})
