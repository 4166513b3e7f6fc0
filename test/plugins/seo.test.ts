import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { plainText, shorten } from '../../plugins/seo/shorten.ts'
import { expectStatus } from '../api/auth-callers.ts'
import { createClient } from '../support/client.ts'
import { startService, type TestService } from '../support/service.ts'

const pluginsDirectory = join(import.meta.dirname, '../../plugins')

const type = (name: string, attributes: object) => ({
  kind: 'collectionType',
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  attributes,
})

const schemas = {
  'page.json': type('page', {
    title: { type: 'string', required: true },
    excerpt: { type: 'richtext' },
    metaTitle: { type: 'string', required: true, maxLength: 20 },
    metaDescription: { type: 'text' },
    other: { type: 'string' },
  }),
  'post.json': {
    ...type('post', {
      name: { type: 'string' },
      seo: { type: 'component', component: 'shared.seo' },
      strict: { type: 'component', component: 'shared.strict' },
    }),
    options: { draftAndPublish: true },
  },
  'plain.json': type('plain', { title: { type: 'string' } }),
  'components/shared.seo.json': {
    uid: 'shared.seo',
    category: 'shared',
    info: { displayName: 'SEO' },
    attributes: { metaTitle: { type: 'string', required: true }, image: { type: 'string' } },
  },
  'components/shared.strict.json': {
    uid: 'shared.strict',
    category: 'shared',
    info: { displayName: 'Strict' },
    attributes: { metaTitle: { type: 'string' }, kind: { type: 'string', required: true } },
  },
}

describe('the plugin seo', () => {
  let service: TestService
  before(async () => {
    service = await startService({
      schemas,
      env: { SVC_PLUGINS_DIR: pluginsDirectory, SVC_PLUGINS_SEO_FILL: 'true' },
    })
  })
  after(() => service.stop())

  const create = async (name: string, data: object) =>
    expectStatus(await service.admin.post(`/api/content/${name}`, data), 201).body.data
  const update = async (name: string, id: number, data: object) =>
    expectStatus(await service.admin.put(`/api/content/${name}/${id}`, data), 200).body.data

  it('fills what is empty, within the lengths of the fields, before the entry is checked', async () => {
    const entry = await create('page', {
      title: 'A title that is longer than the field',
      excerpt: `<p>Bread &amp; butter ${'and more '.repeat(30)}</p>`,
      metaDescription: '',
    })
    assert.equal(entry.metaTitle, 'A title that is…')
    assert.match(entry.metaDescription, /^Bread & butter and more .*…$/)
    assert.ok(entry.metaDescription.length <= 160)
  })

  it('leaves what is there, and has nothing to say where there is no source', async () => {
    const entry = await create('page', { title: 'A title', metaTitle: 'Mine' })
    assert.equal(entry.metaTitle, 'Mine')
    assert.equal(entry.metaDescription, null)
    const answer = await service.admin.post('/api/content/page', { excerpt: 'x' })
    assert.deepEqual(
      expectStatus(answer, 400)
        .body.error.details.map(({ path }: { path: string }) => path)
        .sort(),
      ['metaTitle', 'title'],
    )
    expectStatus(await service.admin.post('/api/content/page', { title: 7 }), 400)
    for (const body of ['[]', 'null', '"x"', '7']) {
      const refused = await service.admin.post('/api/content/page', body)
      assert.equal(refused.status, 400, body)
    }
  })

  it('follows its source as long as nobody has changed it', async () => {
    const { id } = await create('page', { title: 'First' })
    assert.equal((await update('page', id, { title: 'Second' })).metaTitle, 'Second')
    assert.equal((await update('page', id, { metaTitle: 'Mine' })).metaTitle, 'Mine')
    assert.equal((await update('page', id, { title: 'Third' })).metaTitle, 'Mine')
    assert.equal((await update('page', id, { metaTitle: '' })).metaTitle, 'Third')
    const before = await update('page', id, {})
    assert.equal((await update('page', id, {})).updated_at, before.updated_at)
  })

  it('fills components, and makes one only where nothing else is required in it', async () => {
    const entry = await create('post', { name: 'A post' })
    assert.deepEqual(entry.seo, { metaTitle: 'A post', image: null })
    assert.equal(entry.strict, null)
    const given = await create('post', { name: 'A post', seo: { image: 'x' }, strict: { kind: 'k' } })
    assert.deepEqual(given.seo, { metaTitle: 'A post', image: 'x' })
    assert.deepEqual(given.strict, { metaTitle: 'A post', kind: 'k' })
    expectStatus(await service.admin.post('/api/content/post', { name: 'A post', seo: ['x'] }), 400)
    expectStatus(await service.admin.post('/api/content/post', { name: 'A post', seo: 'x' }), 400)
  })

  it('fills what many writes leave empty', async () => {
    const ids = [await create('page', { title: 'One' }), await create('page', { title: 'Two' })].map(
      ({ id }) => id,
    )
    const bulk = { ids, data: { excerpt: 'Both' } }
    expectStatus(await service.admin.patch('/api/content/page/bulk-update', bulk), 200)
    for (const id of ids) {
      const { body } = await service.admin.get(`/api/content/page/${id}`)
      assert.equal(body.data.metaDescription, 'Both')
    }
  })

  it('checks the meta fields of an entry', async () => {
    const { id } = await create('post', {
      name: 'A post',
      seo: { metaTitle: 'x'.repeat(61) },
      strict: { kind: 'k', metaTitle: ' ' },
    })
    const { body } = expectStatus(await service.admin.get(`/api/x/seo/check/post/${id}`), 200)
    assert.deepEqual(body.data, {
      isComplete: false,
      fields: [
        { field: 'seo.metaTitle', value: 'x'.repeat(61), length: 61, limit: 60, problem: 'too-long' },
        { field: 'strict.metaTitle', value: ' ', length: 1, limit: 60, problem: 'empty' },
      ],
    })
  })

  it('tells nothing of what the caller may not read', async () => {
    const { id } = await create('post', { name: 'A draft' })
    const path = `/api/x/seo/check/post/${id}`
    expectStatus(await service.get(path), 401)
    expectStatus(await createClient(service.url, 'nonsense').get(path), 401)
    expectStatus(await service.admin.get('/api/x/seo/check/post/999999'), 404)
    expectStatus(await service.admin.get('/api/x/seo/check/nothing/1'), 404)
    const roles = await service.admin.get('/api/admin/roles')
    const open = roles.body.data.find((role: { name: string }) => role.name === 'public')
    const permissions = { content: { post: { read: true } }, media: {} }
    expectStatus(await service.admin.put(`/api/admin/roles/${open.id}`, { permissions }), 200)
    expectStatus(await service.get(path), 404)
    expectStatus(await service.admin.put(`/api/content/post/${id}/publish`), 200)
    expectStatus(await service.get(path), 200)
  })

  it('adds a section to the settings of the panel', async () => {
    const { body } = expectStatus(await service.admin.get('/api/admin/panel-items'), 200)
    assert.deepEqual(body.data.settings, [
      { id: 'seo:settings', label: 'SEO', icon: 'search', category: 'plugins.seo' },
    ])
  })
})

describe('the plugin seo as it comes', () => {
  it('changes nothing until it is told to, which takes effect at once', async (test) => {
    const service = await startService({ schemas, env: { SVC_PLUGINS_DIR: pluginsDirectory } })
    test.after(() => service.stop())
    const create = () => service.admin.post('/api/content/post', { name: 'A post' })
    assert.equal(expectStatus(await create(), 201).body.data.seo, null)
    const settings = { 'plugins.seo.fill': true, 'plugins.seo.titleLength': 10 }
    expectStatus(await service.admin.put('/api/admin/config', settings), 200)
    assert.equal(expectStatus(await create(), 201).body.data.seo.metaTitle, 'A post')
    const long = await service.admin.post('/api/content/post', { name: 'A post with a long name' })
    assert.ok(long.body.data.seo.metaTitle.length <= 10)
  })
})

describe('shorten', () => {
  const cases: [string, number, string][] = [
    ['short', 10, 'short'],
    ['exactly ten', 11, 'exactly ten'],
    ['one two three', 8, 'one two…'],
    ['one two, three', 9, 'one two…'],
    ['onelongword', 5, 'onel…'],
    ['😀😀😀😀', 4, '😀…'],
    ['', 5, ''],
  ]
  for (const [text, limit, expected] of cases) {
    it(`makes ${JSON.stringify(expected)} of ${JSON.stringify(text)}`, () => {
      assert.equal(shorten(text, limit), expected)
      assert.ok(expected.length <= limit)
    })
  }

  it('is given plain text', () => {
    assert.equal(plainText('<p>a &amp;lt; b</p>\n<b>c</b>&nbsp;'), 'a &lt; b c')
  })
})
