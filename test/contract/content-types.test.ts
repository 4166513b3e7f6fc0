import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { componentSchema, typeSchema } from '../../core-plugins/entries/content-types/description-schemas.ts'
import { bodyValidator } from '../../core-plugins/foundation/http/http.ts'
import { expectStatus, newAdmin, newApiToken, newUser } from '../api/auth-callers.ts'
import type { Client } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

interface Described {
  readonly name: string
  readonly uid: string
  readonly [key: string]: unknown
  readonly attributes: readonly { readonly name: string; readonly [key: string]: unknown }[]
}

const info = (name: string) => ({
  singularName: name,
  pluralName: `${name}s`,
  displayName: name.toUpperCase(),
})

const schemas = {
  'page.json': {
    kind: 'collectionType',
    info: { ...info('page'), description: 'A page of the site' },
    options: {
      draftAndPublish: true,
      i18n: { enabled: true },
      workflow: {
        enabled: true,
        initialState: 'written',
        states: [
          { name: 'written' },
          { name: 'checked', label: 'Checked', color: '#0a0', publishable: true },
        ],
        transitions: [{ from: 'written', to: 'checked', roles: ['editor'] }],
      },
    },
    pluginOptions: { panel: { group: 'Site', columns: ['title'] } },
    attributes: {
      zebra: { type: 'enum', enum: ['b', 'a'], default: 'a', description: 'Stripes' },
      title: {
        type: 'string',
        required: true,
        minLength: 2,
        pluginOptions: { i18n: { localized: true }, panel: { width: 'half' } },
      },
      hidden_link: { type: 'relation', relation: 'manyToOne', target: 'vault' },
      note: { type: 'text', condition: { field: 'zebra', operator: 'exists' } },
      veiled: { type: 'text', condition: { field: 'hidden_link', operator: 'exists' } },
      tags: { type: 'relation', relation: 'manyToMany', target: 'tag', inversedBy: 'pages' },
      cover: { type: 'media', allowedTypes: ['images'] },
      blocks: { type: 'dynamicZone', components: ['part.text', 'part.locked'] },
      owner: { type: 'relation', relation: 'manyToOne', target: 'user' },
    },
  },
  'tag.json': {
    kind: 'collectionType',
    info: info('tag'),
    attributes: {
      code: { type: 'string' },
      label: { type: 'string' },
      pages: { type: 'relation', relation: 'manyToMany', target: 'page', mappedBy: 'tags' },
    },
  },
  'vault.json': {
    kind: 'singleType',
    info: info('vault'),
    pluginOptions: { panel: { title: 'combination' } },
    attributes: {
      name: { type: 'string' },
      combination: { type: 'integer' },
      gems: { type: 'component', component: 'part.gem', repeatable: true },
    },
  },
  'components/part.text.json': {
    uid: 'part.text',
    category: 'part',
    info: { displayName: 'Text', icon: 'text' },
    attributes: { body: { type: 'richtext', description: 'What it says' } },
  },
  'components/part.locked.json': {
    uid: 'part.locked',
    category: 'part',
    info: { displayName: 'Locked' },
    attributes: {
      behind: { type: 'relation', relation: 'manyToOne', target: 'vault' },
      tag: { type: 'relation', relation: 'manyToOne', target: 'tag' },
    },
  },
  'components/part.gem.json': {
    uid: 'part.gem',
    category: 'part',
    info: { displayName: 'Gem' },
    attributes: { carat: { type: 'decimal' } },
  },
}

eachDatabase(({ name }) => {
  let service: TestService
  /** May read everything but the vault. */
  let limited: Client

  before(async () => {
    service = await startService({ database: name, schemas })
    const content = { '*': { read: true, update: true }, vault: {} }
    const role = { name: 'limited', description: '', permissions: { content, media: { read: true } } }
    expectStatus(await service.admin.post('/api/admin/roles', role), 201)
    limited = (await newAdmin(service, 'limited')).client
  })
  after(() => service.stop())

  const all = async (client: Client, what = 'content-types'): Promise<readonly Described[]> =>
    expectStatus(await client.get(`/api/admin/${what}`), 200).body.data
  const one = async (client: Client, type: string): Promise<Described> =>
    expectStatus(await client.get(`/api/admin/content-types/${type}`), 200).body.data

  describe('the description of content types', () => {
    it('says what the files say, in their order, with all keys', async () => {
      const page = await one(service.admin, 'page')
      assert.deepEqual(
        page.attributes.map(({ name }) => name),
        Object.keys(schemas['page.json'].attributes),
      )
      const { attributes, referencedBy, workflow, ...rest } = page
      assert.deepEqual(rest, {
        name: 'page',
        kind: 'collectionType',
        system: false,
        plugin: null,
        info: {
          singularName: 'page',
          pluralName: 'pages',
          displayName: 'PAGE',
          description: 'A page of the site',
        },
        options: {
          draftAndPublish: true,
          draftOverlay: false,
          incompleteDrafts: false,
          timestamps: true,
          softDelete: false,
          i18n: { enabled: true },
        },
        pluginOptions: { panel: { group: 'Site', columns: ['title'] } },
        indexes: [],
        titleField: 'title',
        locales: ['en'],
        defaultLocale: 'en',
        addedFields: [],
      })
      assert.deepEqual(referencedBy, [])
      assert.deepEqual(workflow, {
        initialState: 'written',
        states: [
          { name: 'written', label: 'written', color: null, publishable: false },
          { name: 'checked', label: 'Checked', color: '#0a0', publishable: true },
        ],
        transitions: [{ from: 'written', to: 'checked', label: 'checked', roles: ['editor'] }],
      })
      const named = new Map(attributes.map(({ name, ...attribute }) => [name, attribute]))
      const common = { required: false, localized: false }
      assert.deepEqual(named.get('zebra'), {
        ...{ type: 'enum', description: 'Stripes', enum: ['b', 'a'], default: 'a' },
        ...common,
      })
      assert.deepEqual(named.get('title'), {
        ...{ type: 'string', required: true, minLength: 2, localized: true },
        pluginOptions: { i18n: { localized: true }, panel: { width: 'half' } },
      })
      assert.deepEqual(named.get('note'), {
        ...{ type: 'text', ...common, condition: { field: 'zebra', operator: 'exists', value: true } },
      })
      assert.deepEqual(named.get('tags'), {
        ...{ type: 'relation', ...common, relation: 'manyToMany', target: 'tag', inversedBy: 'pages' },
        ...{ many: true, inverse: false },
      })
      assert.deepEqual(named.get('cover'), {
        ...{
          type: 'media',
          ...common,
          allowedTypes: ['images'],
          target: 'media',
          many: false,
          inverse: false,
        },
      })
    })

    it('names titles, targets, inverse sides and what points here', async () => {
      const tag = await one(service.admin, 'tag')
      assert.equal(tag.titleField, 'label')
      assert.deepEqual([tag.locales, tag.defaultLocale, tag.workflow], [[], null, null])
      assert.deepEqual(tag.referencedBy, [
        { type: 'page', attribute: 'tags', many: true },
        { component: 'part.locked', attribute: 'tag', many: false },
      ])
      assert.equal(tag.attributes.at(-1)?.inverse, true)
      assert.equal((await one(service.admin, 'vault')).titleField, 'combination')
      assert.equal((await one(service.admin, 'media-folder')).titleField, 'name')
      const [gem, locked, text] = await all(service.admin, 'components')
      assert.deepEqual([gem?.uid, locked?.uid, text?.uid], ['part.gem', 'part.locked', 'part.text'])
      assert.deepEqual([gem?.titleField, text?.attributes[0]?.description], ['id', 'What it says'])
    })

    it('says what its schema in the API document says', async () => {
      const checks = {
        'content-types': bodyValidator(typeSchema),
        components: bodyValidator(componentSchema),
      }
      for (const [what, check] of Object.entries(checks)) {
        for (const described of await all(service.admin, what)) assert.deepEqual(check(described), [])
      }
    })

    it('is answered by 304 while nothing changes, and follows the locales', async () => {
      const path = '/api/admin/content-types'
      const etag = (await service.admin.get(path)).headers.get('etag') ?? ''
      const headers = { 'if-none-match': etag }
      assert.equal((await service.admin.get(path, { headers })).status, 304)
      const locales = { 'localization.locales': ['en', 'de'] }
      expectStatus(await service.admin.put('/api/admin/config', locales), 200)
      assert.deepEqual((await one(service.admin, 'page')).locales, ['en', 'de'])
      assert.equal((await service.admin.get(path, { headers })).status, 200)
    })

    it('is for admin users and tokens that may read', async () => {
      const user = await newUser(service)
      const editor = await newAdmin(service, 'editor')
      const reader = await newApiToken(service, ['content:read'])
      const media = await newApiToken(service, ['media:read'])
      for (const path of ['content-types', 'content-types/page', 'components', 'components/part.text']) {
        const statusOf = async (client: Pick<Client, 'get'>) =>
          (await client.get(`/api/admin/${path}`)).status
        const callers = [service, user.client, media.client, editor.client, reader.client]
        assert.deepEqual(await Promise.all(callers.map(statusOf)), [401, 403, 403, 200, 200], path)
      }
      assert.deepEqual(await all(reader.client), await all(service.admin))
      expectStatus(await service.admin.put(`/api/admin/users/${editor.id}`, { blocked: true }), 200)
      expectStatus(await editor.client.get('/api/admin/content-types'), 401)
    })

    it('tells nothing of a type that the caller may not read', async () => {
      for (const what of ['content-types', 'components']) {
        const text = JSON.stringify(await all(limited, what))
        for (const word of ['vault', 'hidden_link', 'combination', 'behind', 'gem']) {
          assert.equal(text.includes(word), false, `${word} in ${what}`)
        }
      }
      const names = (await all(limited)).map(({ name }) => name)
      assert.deepEqual(names, ['media', 'media-folder', 'page', 'tag', 'user'])
      const veiled = (await one(limited, 'page')).attributes.find(({ name }) => name === 'veiled')
      assert.deepEqual(veiled, { name: 'veiled', type: 'text', required: false, localized: false })
      const answers = await Promise.all(
        ['content-types/vault', 'content-types/nothing', 'content-types/__proto__'].map((path) =>
          limited.get(`/api/admin/${path}`),
        ),
      )
      for (const { status, body } of answers) {
        assert.deepEqual([status, body.error.message], [404, answers[0]?.body.error.message])
      }
      expectStatus(await limited.get('/api/admin/components/part.gem'), 404)
    })

    it('leaves out accounts and their secrets', async () => {
      const user = await one(service.admin, 'user')
      assert.deepEqual(
        user.attributes.map(({ name }) => name),
        ['username'],
      )
    })

    it('hands descriptions on to the API document and to GraphQL', async () => {
      const document = (await service.admin.get('/api/_docs/openapi.json')).body
      const { page, ...others } = document.components.schemas
      assert.equal(page.description, 'A page of the site')
      assert.equal(page.properties.zebra.description, 'Stripes')
      const texts = JSON.stringify(others)
      assert.equal(texts.includes('"description":"What it says"'), true)
      const query = `{
        object: __type(name: "Page") { description fields { name description } }
        input: __type(name: "PageInput") { inputFields { name description } }
      }`
      const { data } = expectStatus(await service.admin.post('/api/graphql', { query }), 200).body
      assert.equal(data.object.description, 'A page of the site')
      for (const fields of [data.object.fields, data.input.inputFields]) {
        const found = fields.find((field: { name: string }) => field.name === 'zebra')
        assert.equal(found.description, 'Stripes')
      }
    })

    it('is empty for whoever may read nothing', async () => {
      const permissions = { content: {}, media: {} }
      const role = { name: 'nothing', description: '', permissions }
      expectStatus(await service.admin.post('/api/admin/roles', role), 201)
      const { client } = await newAdmin(service, 'nothing')
      assert.deepEqual([await all(client), await all(client, 'components')], [[], []])
    })
  })
})
