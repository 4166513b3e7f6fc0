import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { editorSchemaFiles } from '../../core-plugins/foundation/schemas/files/editor-schemas.ts'
import {
  fieldTypes,
  type GraphqlScalar,
  generateTypes,
  schemasService,
  type ValueFieldType,
} from '../../core-plugins/foundation/schemas/schemas.ts'
import { definePlugin, StartupError } from '../../kernel/index.ts'
import { colorType } from '../../plugins/color/color-type.ts'
import { expectStatus } from '../api/auth-callers.ts'
import { problemsIn } from '../api/content-world.ts'
import { ask, post as askRaw } from '../graphql/graphql-world.ts'
import { eachDatabase } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

const env = { SVC_PLUGINS_DIR: join(import.meta.dirname, '../../plugins') }

const label = {
  kind: 'collectionType',
  info: { singularName: 'label', pluralName: 'labels', displayName: 'Label' },
  attributes: {
    name: { type: 'string' },
    ink: { type: 'color', unique: true },
    paper: { type: 'color', default: '#FFFFFF' },
    swatches: { type: 'component', component: 'shared.swatch', repeatable: true },
  },
}

const schemas = {
  'label.json': label,
  'user.extension.json': { attributes: { favourite: { type: 'color' } } },
  'components/shared.swatch.json': {
    uid: 'shared.swatch',
    category: 'shared',
    info: { displayName: 'Swatch' },
    attributes: { tint: { type: 'color', required: true } },
  },
}

eachDatabase(({ name }) => {
  let service: TestService
  before(async () => {
    service = await startService({ database: name, schemas, env })
    for (const [name, ink] of [
      ['sky', '#00AAFF'],
      ['sun', '#ffcc00'],
      ['none', null],
    ]) {
      expectStatus(await service.admin.post('/api/content/label', { name, ink }), 201)
    }
  })
  after(() => service.stop())

  const post = (data: object) => service.admin.post('/api/content/label', data)
  const namesOf = async (filters: string) => {
    const answer = await service.admin.get(`/api/content/label?sort=id&${filters}`)
    return expectStatus(answer, 200).body.data.map((label: { name: string }) => label.name)
  }

  describe('a field of the type color', () => {
    it('holds a colour in lower case, in components, too', async () => {
      const data = { ink: '#AbCdEf', swatches: [{ tint: '#FF0000' }] }
      const { id } = expectStatus(await post(data), 201).body.data
      const entry = expectStatus(await service.admin.get(`/api/content/label/${id}`), 200).body.data
      assert.deepEqual(
        [entry.ink, entry.paper, entry.swatches],
        ['#abcdef', '#ffffff', [{ tint: '#ff0000' }]],
      )
      expectStatus(await service.admin.delete(`/api/content/label/${id}`), 200)
    })

    it('takes no other value', async () => {
      const answer = await post({ ink: 'red', paper: 7, swatches: [{ tint: '#12345' }] })
      assert.deepEqual(problemsIn(answer), ['ink format', 'paper format', 'swatches.0.tint format'])
      assert.match(answer.body.error.details[0].message, /^must be a colour such as #ff8800$/)
    })

    it('can be unique, however the colour is written', async () => {
      assert.equal((await post({ ink: '#00aaff' })).status, 409)
    })

    it('is compared without regard to case, by the operators that it takes', async () => {
      assert.deepEqual(await namesOf('filters[ink]=%2300aaff'), ['sky'])
      assert.deepEqual(await namesOf('filters[ink][$eq]=%2300AAFF'), ['sky'])
      assert.deepEqual(await namesOf('filters[ink][$ne]=%2300AAFF'), ['sun', 'none'])
      assert.deepEqual(await namesOf('filters[ink][$in]=%2300AAFF,%23FFCC00'), ['sky', 'sun'])
      assert.deepEqual(await namesOf('filters[ink][$null]=true'), ['none'])
    })

    it('refuses other operators, and what is no colour', async () => {
      const refused = async (filters: string) =>
        problemsIn(await service.admin.get(`/api/content/label?${filters}`))
      assert.deepEqual(await refused('filters[ink][$lt]=%23000000'), ['filters.ink.$lt operator'])
      assert.deepEqual(await refused('filters[ink][$contains]=ff'), ['filters.ink.$contains operator'])
      assert.deepEqual(await refused('filters[ink][$eq]=red'), ['filters.ink.$eq type'])
    })

    it('is a scalar of its own in GraphQL', async () => {
      const ink = '{ __type(name: "Label") { fields { name type { name } } } }'
      const { fields } = (await ask(service.admin, ink)).__type
      assert.equal(fields.find(({ name }: { name: string }) => name === 'ink').type.name, 'Color')
      const filters = '{ __type(name: "ColorFilterInput") { inputFields { name } } }'
      const { inputFields } = (await ask(service.admin, filters)).__type
      assert.deepEqual(
        inputFields.map(({ name }: { name: string }) => name),
        ['null', 'notNull', 'eq', 'ne', 'in', 'not'],
      )
    })

    it('is read, filtered and written by GraphQL', async () => {
      const list = '{ labels(filters: { ink: { in: ["#FFCC00"] } }) { data { name ink } } }'
      assert.deepEqual((await ask(service.admin, list)).labels.data, [{ name: 'sun', ink: '#ffcc00' }])
      const create = 'mutation { createLabel(data: { name: "sea", ink: "#0000CC" }) { data { id ink } } }'
      const { id, ink } = (await ask(service.admin, create)).createLabel.data
      assert.equal(ink, '#0000cc')
      expectStatus(await service.admin.delete(`/api/content/label/${id}`), 200)
      const { body } = await askRaw(
        service.admin,
        'mutation { createLabel(data: { ink: 7 }) { data { id } } }',
      )
      assert.match(body.errors[0].message, /must be a colour such as "#ff8800"/)
    })

    it('stands in the API document, in the generated types and in the editor schemas', async () => {
      const { body } = await service.admin.get('/api/_docs/openapi.json')
      const { ink } = body.components.schemas.label.properties
      assert.match(JSON.stringify(ink), /"pattern":"\^#\[0-9A-Fa-f\]\{6\}\$"/)
      const present = service.kernel.get(schemasService)
      const types = generateTypes(present)
      assert.match(types, /^ {2}ink: string \| null$/m)
      assert.match(types, /^ {2}ink\?: string \| \(string\)\[\] \| \(PresenceFilter & \{ \$eq\?: string; /m)
      const editor = editorSchemaFiles(present.fieldTypes).get('content-type.json') ?? ''
      assert.ok(editor.includes('"A colour, written `#rrggbb`."'))
    })

    it('belongs to accounts as well', async () => {
      const account = { email: 'ann@example.com', username: 'ann', password: 'correct horse battery' }
      const made = await service.admin.post('/api/admin/content-users', { ...account, favourite: '#FF8800' })
      assert.equal(expectStatus(made, 201).body.data.favourite, '#ff8800')
    })
  })
})

describe('a type of fields whose scalar is called as something else in GraphQL', () => {
  const scalarOf = async (plugin: string, scalar: string) => {
    const type = {
      ...colorType,
      name: plugin,
      graphql: () => ({ ownScalar: { ...ownScalar, name: scalar } }),
    }
    const paint = definePlugin({
      name: plugin,
      description: 'Another type of fields',
      register: ({ contribute }) => contribute(fieldTypes, type as ValueFieldType),
    })
    const painted = {
      ...label,
      attributes: { name: { type: 'string' }, ink: { type: 'color' }, tint: { type: plugin } },
    }
    const files = { 'label.json': painted }
    const service = await startService({ schemas: files, env, plugins: [paint] })
    try {
      const names = '{ __type(name: "Label") { fields { name type { name } } } }'
      const { fields } = (await ask(service.admin, names)).__type
      await ask(
        service.admin,
        'mutation { createLabel(data: { name: "sea", tint: "#0000CC" }) { data { id } } }',
      )
      return fields.find(({ name }: { name: string }) => name === 'tint').type.name
    } finally {
      await service.stop()
    }
  }
  const { ownScalar } = colorType.graphql({} as never) as { ownScalar: GraphqlScalar }

  for (const scalar of ['Int', 'ID', 'Query', 'Label', 'Color']) {
    it(`leaves ${scalar} to what has that name`, async () =>
      assert.equal(await scalarOf('paint', scalar), `${scalar}_`))
  }
})

eachDatabase((database) => {
  describe('a service whose plugin color is off', () => {
    it('says so and starts not, and what is stored is there when it is on again', async () => {
      const { url, drop } = await database.createUrl()
      const start = (more: object = {}) =>
        startService({ database: { url }, schemas, env: { ...env, ...more } })
      try {
        const first = await start()
        const made = await first.admin.post('/api/content/label', { ink: '#102030' })
        const { id } = expectStatus(made, 201).body.data
        await first.stop()
        const reason = await start({ SVC_PLUGINS_DISABLED: 'color' }).then(
          () => assert.fail('it started'),
          (error) => error,
        )
        assert.ok(reason instanceof StartupError)
        assert.deepEqual(reason.problems[0], {
          subject: 'schemas/label.json: attributes.ink.type',
          place: { path: 'schemas/label.json', at: 'attributes.ink.type' },
          message: 'is color, a type of the plugin color, which is off: switched off by SVC_PLUGINS_DISABLED',
          remedy: 'switch the plugin color on, or remove the attribute',
        })
        const again = await start()
        const { body } = await again.admin.get(`/api/content/label/${id}`)
        assert.equal(body.data.ink, '#102030')
        await again.stop()
      } finally {
        await drop()
      }
    })
  })
})
