import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import {
  addMedia,
  create,
  createAll,
  dataOf,
  type Entry,
  entriesIn,
  entryIn,
  list,
  pathOf,
  problemsIn,
  useContent,
} from '../api/content-world.ts'
import { eachDatabase } from '../support/databases.ts'

const parameter = (name: string, value: unknown) => `${name}=${encodeURIComponent(JSON.stringify(value))}`
const filters = (value: unknown) => `?${parameter('filters', value)}`

eachDatabase(({ name }) => {
  const world = useContent(name)
  let people: Entry[]

  before(async () => {
    people = await createAll(world.admin, 'person', [
      { name: 'Ada', age: 36 },
      { name: '[object Object]', age: 5 },
    ])
    const [ada] = people
    await create(world.admin, 'sample', {
      ...{ title: 'one', count: 1, isOn: true, price: '0.10', owner: ada?.id, data: { size: { h: 3 } } },
      big: '9007199254740993',
      blocks: [{ __component: 'test.link', label: 'sea' }],
    })
    await create(world.admin, 'sample', { title: 'two', count: 2, isOn: false, big: '9007199254740992' })
  })

  const titles = async (value: unknown) =>
    (await list(world.admin, 'sample', filters(value))).map(({ title }) => title)
  const refusal = async (query: string, path = '') => {
    const answer = await world.admin.get(`${pathOf('sample', path)}?${query}`)
    return [problemsIn(answer), answer.body.error.details?.[0]?.message] as const
  }

  it('selects entries by filters that are JSON text as it does by brackets', async () => {
    const cases: readonly (readonly [unknown, readonly string[]])[] = [
      [{}, ['one', 'two']],
      [{ title: 'one' }, ['one']],
      [{ title: { $in: ['one', 'two'] }, count: { $gt: 1 } }, ['two']],
      [{ count: [1, 2], isOn: true }, ['one']],
      [{ isOn: { $ne: true } }, ['two']],
      [{ owner: { $null: true } }, ['two']],
      [{ owner: { name: { $startsWith: 'A' }, age: 36 } }, ['one']],
      [{ $or: [{ title: 'two' }, { $not: { count: 2 } }] }, ['one', 'two']],
      [{ price: 0.1 }, ['one']],
      [{ big: '9007199254740993' }, ['one']],
      [{ data: { size: { h: 3 } } }, ['one']],
      [{ blocks: { 'test.link': { label: { $containsi: 'SEA' } } } }, ['one']],
      [{ title: { $contains: ',' } }, []],
    ]
    for (const [value, expected] of cases) {
      assert.deepEqual(await titles(value), expected, JSON.stringify(value))
    }
  })

  it('takes them wherever entries are selected', async () => {
    const asked = parameter('filters', { owner: { name: 'Ada' } })
    const count = await world.admin.get(pathOf('sample', `aggregate?function=count&${asked}`))
    assert.deepEqual(count.body.data, { value: 1 })
    const populate = parameter('populate', { owner: { fields: ['name'] } })
    const distinct = await world.admin.get(pathOf('sample', `distinct?field=owner&${asked}&${populate}`))
    const [value] = distinct.body.data.owner.values
    assert.deepEqual([value.count, value.entry.name], [1, 'Ada'])
    const file = await world.admin.get(pathOf('sample', `export?fields=title&${asked}`))
    assert.equal(file.status, 200)
    assert.match(JSON.stringify(file.body), /one/)
    assert.doesNotMatch(JSON.stringify(file.body), /two/)
  })

  it('populates with options that are JSON text', async () => {
    const [cover] = await addMedia(world, ['cover.png'])
    const tags = await createAll(world.admin, 'tag', [{ name: 'b' }, { name: 'a' }, { name: 'c' }])
    const { id } = await create(world.admin, 'sample', {
      title: 'populated',
      tags: tags.map((tag) => tag.id),
      owner: people[0]?.id,
      blocks: [{ __component: 'test.menu', image: cover }],
    })
    const shown = async (populate: unknown) =>
      dataOf(await world.admin.get(`${pathOf('sample', id)}?${parameter('populate', populate)}`))
    const entry = await shown({
      owner: true,
      tags: { fields: ['name'], filters: { name: { $ne: 'b' } }, sort: 'name:desc', limit: 1, total: true },
      blocks: { populate: 'image' },
    })
    assert.equal(entryIn(entry.owner).name, 'Ada')
    assert.deepEqual(
      entriesIn(entry.tags).map((tag) => tag.name),
      ['c'],
    )
    assert.deepEqual(entry._totals, { tags: 2 })
    assert.equal(typeof entriesIn(entry.blocks)[0]?.image, 'object')
    assert.equal(typeof (await shown(['owner'])).owner, 'object')
    assert.equal(typeof (await shown({ owner: false })).owner, 'number')
  })

  it('refuses an object that a client has turned into text, with cause and remedy', async () => {
    for (const [query, path] of [
      ['filters=%5Bobject+Object%5D', 'filters'],
      ['filters[title]=[object%20Object]', 'filters.title'],
      ['filters[owner][name]=%5Bobject%20Object%5D', 'filters.owner.name'],
      ['filters[$or]=[object%20Object],[object%20Object]', 'filters.$or'],
      ['populate=%5Bobject+Object%5D', 'populate'],
      ['populate[owner]=%5Bobject+Object%5D', 'populate.owner'],
    ] as const) {
      const [problems, message] = await refusal(query)
      assert.deepEqual(problems, [`${path} type`], query)
      assert.match(message, /turned an object into text; send it as JSON text/)
    }
    for (const path of ['aggregate?function=count&', 'distinct?field=title&', 'export?']) {
      const answer = await world.admin.get(pathOf('sample', `${path}filters=%5Bobject+Object%5D`))
      assert.deepEqual(problemsIn(answer), ['filters type'], path)
    }
    const meant = await list(world.admin, 'person', filters({ name: '[object Object]' }))
    assert.deepEqual(
      meant.map(({ id }) => id),
      [people[1]?.id],
    )
    assert.equal((await world.admin.get(`${pathOf('sample')}?search=%5Bobject+Object%5D`)).status, 200)
  })

  it('refuses JSON text that is wrong, and numbers that would become others', async () => {
    const deep = `${'{"$not":'.repeat(14)}{}${'}'.repeat(14)}`
    for (const [text, expected] of [
      ['{"title":', /not valid JSON/],
      ['{"__proto__":{"a":1}}', /not valid JSON/],
      ['{"big":9007199254740993}', /write it as text: "9007199254740993"/],
      ['{"price":{"$gt":0.12345678901234567890}}', /write it as text/],
      ['{"title":"\\u0000"}', /NUL/],
      ['{"title":"\\ud800"}', /surrogate/],
      [deep, /nested more than 12 levels/],
      ['[]', /must name a field/],
    ] as const) {
      const [problems, message] = await refusal(`filters=${encodeURIComponent(text)}`)
      assert.deepEqual(problems, ['filters type'], text)
      assert.match(message, expected)
    }
    const [problems] = await refusal(`filters=%7B&populate=%7B&sort=nope`)
    assert.deepEqual(problems, ['populate type', 'sort unknown', 'filters type'])
    const named = await refusal(filters({ titel: 'x', title: { $foo: 1 } }).slice(1))
    assert.deepEqual(named[0], ['filters.titel unknown', 'filters.title.$foo operator'])
  })
})
