import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { startService, type TestService } from '../support/service.ts'
import { expectStatus } from './auth-callers.ts'

const component = (name: string, attributes: object) => ({
  [`components/part.${name}.json`]: {
    uid: `part.${name}`,
    category: 'part',
    info: { displayName: name },
    attributes,
  },
})
const page = (attributes: object) => ({
  'page.json': {
    kind: 'collectionType',
    info: { singularName: 'page', pluralName: 'pages', displayName: 'Page' },
    attributes,
  },
})

const earlier = {
  ...page({
    title: { type: 'string' },
    gone: { type: 'string' },
    rank: { type: 'string' },
    headline: { type: 'string' },
    blocks: { type: 'dynamicZone', components: ['part.text', 'part.old'] },
    links: { type: 'component', component: 'part.link', repeatable: true },
  }),
  ...component('text', { text: { type: 'text' }, size: { type: 'string' } }),
  ...component('old', { text: { type: 'text' } }),
  ...component('link', { url: { type: 'string' }, label: { type: 'string' } }),
}

const later = {
  ...page({
    title: { type: 'string' },
    rank: { type: 'string', maxLength: 3 },
    lead: { type: 'string', renamedFrom: 'headline' },
    blocks: { type: 'dynamicZone', components: ['part.text'] },
    links: { type: 'component', component: 'part.link', repeatable: true },
    added: { type: 'string' },
  }),
  ...component('text', { text: { type: 'text' } }),
  ...component('link', { url: { type: 'string' }, label: { type: 'string', required: true } }),
}

describe('a revision of an earlier schema', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mortise-revisions-'))
  const database = { url: `sqlite:${join(folder, 'content.db')}` }
  let service: TestService

  before(async () => {
    service = await startService({ database, schemas: earlier })
    const data = {
      title: 'One',
      gone: 'x',
      rank: 'first',
      headline: 'Head',
      blocks: [
        { __component: 'part.old', text: 'a' },
        { __component: 'part.text', text: 'b', size: 'large' },
        { __component: 'part.old', text: 'c' },
      ],
      links: [{ url: '/a' }, { url: '/b', label: 'B' }],
    }
    expectStatus(await service.admin.post('/api/content/page', data), 201)
    expectStatus(
      await service.admin.put('/api/content/page/1', { title: 'Two', rank: 'top', links: [] }),
      200,
    )
    await service.stop()
    service = await startService({ database, schemas: later })
    expectStatus(
      await service.admin.put('/api/content/page/1', { title: 'Three', blocks: [], added: 'now' }),
      200,
    )
  })
  after(async () => {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('is restored as far as it fits, and the answer says what was left out', async () => {
    const revisions = expectStatus(await service.admin.get('/api/content/page/1/revisions'), 200).body.data
    const path = `/api/content/page/1/revisions/${revisions.at(-1).id}/restore`
    const { data } = expectStatus(await service.admin.post(path), 200).body
    const { title, rank, lead, blocks, links, added } = data
    assert.deepEqual(
      { title, rank, lead, blocks, links, added },
      {
        title: 'One',
        rank: 'top',
        lead: 'Head',
        blocks: [{ __component: 'part.text', text: 'b' }],
        links: [{ url: '/b', label: 'B' }],
        added: 'now',
      },
    )
    assert.deepEqual(
      data._leftOut.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`).sort(),
      [
        'blocks.0.__component component',
        'blocks.1.size unknown',
        'blocks.2.__component component',
        'gone unknown',
        'links.0.label required',
        'rank maxLength',
      ],
    )
  })
})
