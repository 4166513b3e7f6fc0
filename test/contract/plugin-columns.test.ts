import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { expectStatus, newAdmin } from '../api/auth-callers.ts'
import { openSocket } from '../graphql/socket-client.ts'
import { type } from '../schemas/schema-directory.ts'
import { runCommand } from '../support/command-line.ts'
import { eachDatabase } from '../support/databases.ts'
import { moduleProject } from '../support/plugin-file.ts'
import { withProject } from '../support/process.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** What the plugin keeps of each entry: its field, the column's kind, and what it writes at the first and the second entry. */
const kept = {
  shop_sold: ['integer', 5, 70],
  shop_seen: ['bigint', 7, '9007199254740993'],
  shop_price: ['decimal', '1.5', '20.25'],
  shop_open: ['boolean', true, false],
  shop_code: ['string', '5', '70'],
  shop_day: ['date', '2026-01-31', '2026-02-01'],
  shop_sold_at: ['datetime', '2026-01-31T08:00:00.000Z', '2026-02-01T08:00:00.000Z'],
  shop_facts: ['json', { a: 1 }, [2]],
  shop_place: ['point', { lat: 47.3769, lng: 8.5417 }, { lat: -33.8688, lng: 151.2093 }],
} as const

const plugin = `
import { contentTables, contentWriteMiddleware, defineExtension, defineWriteMiddleware, entryColumns, entryParameters, sql, Type } from 'mortise/plugin'
const kept = ${JSON.stringify(kept)}
const isSold = ({ name }) => name === 'note'
const columnOf = (field) => '_' + field
let written = 0
export default defineExtension({
  name: 'shop', description: 'A plugin of a test.',
  register({ contribute }) {
    contribute(contentTables, (type, table) => !isSold(type) ? table : {
      ...table,
      columns: [...table.columns, ...Object.entries(kept).map(([field, [kind]]) => ({
        name: columnOf(field), kind, nullable: true,
        ...(kind === 'string' ? { length: 20 } : {}),
      }))],
    })
    contribute(entryColumns, (type) => !isSold(type) ? [] :
      Object.entries(kept).map(([field, [kind]]) => ({ column: columnOf(field), kind, field, isShown: true })))
    const over = (name, schema, read) => contribute(entryParameters, {
      parameters: { [name]: Type.Optional(schema) },
      matches: isSold,
      restrict({ values }) {
        if (values[name] === undefined) return undefined
        return {
          shape: name, values: [{ kind: 'integer', value: read(values[name]) }],
          where: (entry) => sql\`\${entry.column('_shop_sold')} > \${entry.value(0)}\`,
        }
      },
    })
    over('shop_over', Type.Integer({ description: 'Only what was sold more often' }), Number)
    over('shop_many', Type.Boolean(), (text) => text === 'true' ? 50 : 0)
    contribute(contentWriteMiddleware, defineWriteMiddleware({
      name: 'shop: keep', types: 'note', operations: ['create'],
      run(context, next) {
        written++
        if (written <= 2) {
          const columns = Object.entries(kept).map(([field, values]) => [columnOf(field), values[written]])
          context.additions.columns = { ...context.additions.columns, ...Object.fromEntries(columns) }
        }
        return next()
      },
    }))
  },
})`

const project = {
  schemas: { 'note.json': type('note', { title: { type: 'string' } }) },
  files: { ...moduleProject, 'plugins/shop/plugin.ts': plugin },
}

eachDatabase(({ name }) => {
  let service: TestService
  before(async () => {
    service = await startService({ database: name, ...project })
    // The third one has nothing in the columns, as those that are older than the plugin.
    for (const title of ['first', 'second', 'third'])
      expectStatus(await service.admin.post('/api/content/note', { title }), 201)
  })
  after(() => service.stop())

  const ask = async (query: string) => {
    const { body } = await service.admin.post('/api/graphql', { query })
    assert.equal(body.errors, undefined, JSON.stringify(body.errors))
    return body.data
  }
  const titles = async (args: string): Promise<string> =>
    (await ask(`{ notes(${args}, sort: "id") { data { title } } }`)).notes.data
      .map((note: { title: string }) => note.title)
      .join()

  it('fields of columns of plugins are of their kinds in GraphQL, whatever else is asked for', async () => {
    const fields = Object.keys(kept)
    const { data } = expectStatus(await service.admin.get('/api/content/note?sort=id'), 200).body
    for (const asked of [...fields.map((field) => [field]), fields]) {
      const { notes } = await ask(`{ notes(sort: "id") { data { ${asked.join(' ')} } } }`)
      const expected = data.map((note: Record<string, unknown>) =>
        Object.fromEntries(asked.map((field) => [field, note[field]])),
      )
      assert.deepEqual(notes.data, expected)
    }
    assert.deepEqual(
      fields.map((field) => data[0][field]),
      Object.entries(kept).map(([field, [, first]]) => (field === 'shop_price' ? 1.5 : first)),
    )
    assert.ok(fields.every((field) => data[2][field] === null))
    const { __type } = await ask('{ __type(name: "Note") { fields { name type { kind name } } } }')
    const typeOf = (field: string) =>
      __type.fields.find((each: { name: string }) => each.name === field).type.name
    assert.deepEqual(fields.map(typeOf), [
      ...['Int', 'BigInt', 'Decimal', 'Boolean', 'String', 'Date', 'DateTime', 'JSON', 'JSON'],
    ])
  })

  it('fields of columns of plugins are filtered by their kinds, and parameters are arguments', async () => {
    assert.equal(await titles('filters: { shop_sold: { gt: 6 } }'), 'second')
    assert.equal(await titles('filters: { shop_open: { eq: true } }'), 'first')
    assert.equal(await titles('filters: { shop_day: { gte: "2026-02-01" } }'), 'second')
    assert.equal(await titles('filters: { shop_sold_at: { lt: "2026-02-01T00:00:00Z" } }'), 'first')
    assert.equal(await titles('filters: { shop_code: { startsWith: "7" } }'), 'second')
    assert.equal(await titles('filters: { shop_price: { null: true } }'), 'third')
    assert.equal(await titles('filters: { shop_facts: { at: [{ path: ["a"], gte: 1 }] } }'), 'first')
    assert.equal(await titles('filters: { shop_facts: { notNull: true } }'), 'first,second')
    assert.equal(await titles('filters: { shop_place: { near: [47.4, 8.5, 10000] } }'), 'first')
    assert.equal(await titles('filters: { shop_place: { null: true } }'), 'third')
    const rest = async (filter: string) =>
      expectStatus(await service.admin.get(`/api/content/note?sort=id&filters${filter}`), 200).body.data.map(
        (note: { title: string }) => note.title,
      )
    assert.deepEqual(await rest('[shop_facts][a][$gte]=1'), ['first'])
    assert.deepEqual(await rest('[shop_place][$near]=47.4,8.5,10000'), ['first'])
    assert.equal(await titles('shop_over: 6'), 'second')
    assert.equal(await titles('shop_over: 4, shop_many: false'), 'first,second')
    assert.equal(await titles('shop_many: true'), 'second')
    const { note } = await ask('{ note(id: 1, shop_over: 6) { data { title } } }')
    assert.equal(note.data, null)
    const counted = await ask('{ notesAggregate(shop_over: 4) { data { count max { shop_sold } } } }')
    assert.deepEqual(counted.notesAggregate.data, [{ count: 2, max: { shop_sold: 70 } }])
    const distinct = await ask('{ notesDistinct(shop_over: 6) { shop_sold { values { value count } } } }')
    assert.deepEqual(distinct.notesDistinct.shop_sold.values, [{ value: 70, count: 1 }])
  })

  it('parameters are arguments of subscriptions, too', async () => {
    const { token } = await newAdmin(service, 'admin')
    const client = await openSocket(service.url, { token })
    try {
      await client.subscribe('1', 'subscription { noteChanged(shop_over: 6) { change id entry { title } } }')
      const change = async (id: number, title: string) =>
        expectStatus(await service.admin.put(`/api/content/note/${id}`, { title }), 200)
      await change(1, 'First')
      await change(2, 'Second')
      await until(() => client.events().length > 1)
      assert.deepEqual(client.events(), [
        { change: 'DELETED', id: 1, entry: null },
        { change: 'UPDATED', id: 2, entry: { title: 'Second' } },
      ])
    } finally {
      client.close()
    }
  })

  it('fields of columns of plugins are in the API document and in descriptions', async () => {
    const { components } = expectStatus(await service.admin.get('/api/_docs/openapi.json'), 200).body
    const { shop_sold, shop_facts } = components.schemas.note.properties
    assert.deepEqual(
      shop_sold.anyOf.map((each: { type: string }) => each.type),
      ['integer', 'null'],
    )
    assert.notEqual(shop_facts, undefined)
    assert.ok(components.schemas.note.required.includes('shop_sold'))
    for (const field of Object.keys(kept))
      assert.ok(components.schemas['note.filters'].properties[field], field)
    const { data } = expectStatus(await service.admin.get('/api/admin/content-types/note'), 200).body
    assert.deepEqual(
      data.addedFields,
      Object.entries(kept).map(([field, [kind]]) => ({ name: field, type: kind })),
    )
  })

  if (name === 'sqlite') {
    it('fields of columns of plugins are in generated types', async () => {
      await withProject(project, async (made) => {
        const { code, stderr } = await runCommand(made, ['types', 'types.ts'])
        assert.equal(code, 0, stderr)
        const text = made.read('types.ts')
        assert.match(text, /^ {2}shop_sold: number \| null$/m)
        assert.match(text, /^ {2}shop_sold_at: string \| null$/m)
        assert.match(text, /^ {2}shop_sold\?: ValueFilter<number>$/m)
      })
    })
  }
})
