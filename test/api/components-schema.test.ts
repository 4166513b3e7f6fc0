import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { startService, type TestService } from '../support/service.ts'
import { expectStatus } from './auth-callers.ts'

const schemas = (quote: object) => ({
  'page.json': {
    kind: 'collectionType',
    info: { singularName: 'page', pluralName: 'pages', displayName: 'Page' },
    options: { draftAndPublish: true, draftOverlay: true },
    attributes: {
      title: { type: 'string' },
      quotes: { type: 'component', component: 'test.quote', repeatable: true },
      blocks: { type: 'dynamicZone', components: ['test.quote'] },
    },
  },
  'components/test.quote.json': {
    uid: 'test.quote',
    category: 'test',
    info: { displayName: 'Quote' },
    attributes: { text: { type: 'string' }, ...quote },
  },
})
const earlier = schemas({})
const later = schemas({
  source: { type: 'string', default: 'unknown' },
  image: { type: 'media' },
  images: { type: 'media', multiple: true },
})

const whole = (text: string) => ({ text, source: null, image: null, images: [] })
const content = (text: string) => ({ quotes: [{ text }], blocks: [{ __component: 'test.quote', text }] })
const wholeContent = (text: string) => ({
  quotes: [whole(text)],
  blocks: [{ __component: 'test.quote', ...whole(text) }],
})

describe('components that are older than some of their attributes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mortise-components-'))
  const database = { url: `sqlite:${join(folder, 'content.db')}` }
  const path = '/api/content/page/1'
  let service: TestService

  before(async () => {
    service = await startService({ database, schemas: earlier })
    expectStatus(await service.admin.post('/api/content/page', { title: 'Old', ...content('first') }), 201)
    expectStatus(await service.admin.put(`${path}/publish`), 200)
    expectStatus(await service.admin.put(path, content('draft')), 200)
    await service.stop()
    service = await startService({ database, schemas: later })
  })
  after(async () => {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const get = async (path: string) => expectStatus(await service.admin.get(path), 200).body.data
  const contentOf = ({ quotes, blocks }: Record<string, unknown>) => ({ quotes, blocks })

  it('come whole wherever entries are shown', async () => {
    const [listed] = await get('/api/content/page')
    const [found] = await get('/api/search?q=old')
    for (const entry of [await get(path), listed, found.entry]) {
      assert.deepEqual(contentOf(entry), wholeContent('first'))
    }
    const query = '{ pages { data { quotes { text source images { id } } } } }'
    const { data } = expectStatus(await service.admin.post('/api/graphql', { query }), 200).body
    assert.deepEqual(data.pages.data[0].quotes, [{ text: 'first', source: null, images: [] }])
  })

  it('come whole in drafts', async () => {
    assert.deepEqual(contentOf(await get(`${path}?draft=true`)), wholeContent('draft'))
  })

  it('come whole in revisions, which differ by what was written only', async () => {
    const revisions = await get(`${path}/revisions`)
    const texts = revisions.map(({ data }: { data: { quotes: [{ text: string }] } }) => data.quotes[0].text)
    for (const [index, { id, data }] of revisions.entries()) {
      assert.deepEqual(contentOf(data), wholeContent(texts[index]))
      assert.deepEqual((await get(`${path}/revisions/${id}`)).data, data)
    }
    expectStatus(await service.admin.put(path, wholeContent('draft')), 200)
    const [, latest] = revisions
    const { fields } = await get(`${path}/revisions/${revisions[0].id}/diff?to=${latest.id}`)
    assert.ok(fields.length > 0)
    const same = await get(`${path}/revisions/${revisions[0].id}/diff`)
    assert.deepEqual(same.fields, [])
  })

  it('get their defaults with the next write', async () => {
    expectStatus(await service.admin.put(path, content('new')), 200)
    const { quotes } = await get(`${path}?draft=true`)
    assert.deepEqual(quotes, [{ ...whole('new'), source: 'unknown' }])
  })
})
