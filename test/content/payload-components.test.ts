import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { maxComponentValues } from '../../core-plugins/entries/content/payload/report.ts'
import { componentType } from './payload-model.ts'
import { checkerOf, now, placesOf, problemsOf } from './payload-problems.ts'

const link = componentType('shared.link', {
  label: { type: 'string', required: true, maxLength: 5 },
  url: { type: 'string' },
  isExternal: { type: 'boolean', default: false },
  since: { type: 'datetime', default: 'now' },
  page: { type: 'relation', relation: 'manyToOne', target: 'page' },
})
const menu = componentType('shared.menu', {
  links: { type: 'component', component: 'shared.link', repeatable: true, min: 1, max: 2 },
  image: { type: 'media' },
  images: { type: 'media', multiple: true },
  menu: { type: 'component', component: 'shared.menu' },
  amount: { type: 'decimal' },
  data: { type: 'json' },
})

const checker = checkerOf(
  {
    link: { type: 'component', component: 'shared.link' },
    links: { type: 'component', component: 'shared.link', repeatable: true, min: 1, max: 3 },
    menus: { type: 'component', component: 'shared.menu', repeatable: true },
    blocks: { type: 'dynamicZone', components: ['shared.link', 'shared.menu'] },
  },
  link,
  menu,
)

/** A menu with what it has where nothing else was sent. */
const wholeMenu = (sent: object) => ({
  ...{ links: null, image: null, images: [], menu: null, amount: null, data: null },
  ...sent,
})

const create = (body: object) => checker.forCreate(body, now)

describe('a component', () => {
  it('has all of its attributes: those that were not sent with their default, or null', () => {
    assert.deepEqual(create({ link: { label: 'a', url: null } }).columns.link, {
      label: 'a',
      url: null,
      isExternal: false,
      since: now,
      page: null,
    })
    assert.deepEqual(create({ menus: [{}] }).columns.menus, [wholeMenu({})])
  })

  it('has no more attributes in one write than can be answered', () => {
    const items = (count: number) => ({ menus: Array.from({ length: count }, () => ({})) })
    const most = Math.floor(maxComponentValues / Object.keys(wholeMenu({})).length)
    assert.deepEqual(create(items(most)).problems, [])
    assert.deepEqual(
      problemsOf(() => create(items(most + 1))),
      [`menus.${most} maxComponentValues`],
    )
  })

  it('gets its defaults in a change as well, at the moment of the change', () => {
    const before = new Date().toISOString()
    const { since } = checker.forUpdate({ link: { label: 'a' } }, {}).columns.link as { since: string }
    assert.ok(since >= before && since <= new Date().toISOString())
  })

  it('keeps its id where one is sent', () => {
    for (const id of [5, 'a-1', 0]) {
      assert.equal((create({ link: { id, label: 'a' } }).columns.link as { id: unknown }).id, id)
    }
    for (const link of [{ label: 'a' }, { id: null, label: 'a' }]) {
      assert.equal('id' in (create({ link }).columns.link as object), false)
    }
    for (const id of [true, 1.5, {}, [], 'x'.repeat(256)]) {
      assert.deepEqual(
        problemsOf(() => create({ link: { id, label: 'a' } })),
        ['link.id type'],
      )
    }
    assert.deepEqual(
      problemsOf(() => create({ link: { id: '\0', label: 'a' } })),
      ['link.id format'],
    )
  })

  it('is one object of its attributes', () => {
    for (const value of ['x', 5, [], [{ label: 'a' }]]) {
      assert.deepEqual(
        problemsOf(() => create({ link: value })),
        ['link type'],
      )
    }
    const value = JSON.parse('{"label":"toolong","url":5,"__component":"shared.link","__proto__":{}}')
    assert.deepEqual(problemsOf(() => create({ link: value })).sort(), [
      'link.__component unknown',
      'link.__proto__ unknown',
      'link.label maxLength',
      'link.url type',
    ])
    assert.deepEqual(
      problemsOf(() => create({ link: {} })),
      ['link.label required'],
    )
  })

  it('is null where there is none, and an empty array where there may be none of several', () => {
    assert.deepEqual({ ...create({}).columns }, { link: null, links: null, menus: [], blocks: [] })
    assert.deepEqual(
      { ...checker.forUpdate({ link: null, links: null, menus: null, blocks: null }, {}).columns },
      {
        link: null,
        links: null,
        menus: [],
        blocks: [],
      },
    )
  })

  it('holds values in the form in which they are read', () => {
    const body = { menus: [{ amount: '1.500', image: 3, images: [4, 4], data: { deep: [1] } }] }
    assert.deepEqual(create(body).columns.menus, [
      wholeMenu({ image: 3, images: [4], amount: 1.5, data: { deep: [1] } }),
    ])
  })
})

describe('a repeatable component', () => {
  const items = (count: number) => Array.from({ length: count }, () => ({ label: 'a' }))

  it('has as many items as its schema allows', () => {
    for (const count of [1, 3])
      assert.equal((create({ links: items(count) }).columns.links as object[]).length, count)
    assert.deepEqual(
      problemsOf(() => create({ links: [] })),
      ['links min'],
    )
    assert.deepEqual(
      problemsOf(() => create({ links: items(4) })),
      ['links max'],
    )
    assert.deepEqual(
      problemsOf(() => create({ links: {} })),
      ['links type'],
    )
  })

  it('tells which item is wrong', () => {
    const links = [{ label: 'a' }, null, { label: 5 }]
    assert.deepEqual(
      problemsOf(() => create({ links })),
      ['links.1 type', 'links.2.label type'],
    )
  })

  it('nests', () => {
    const body = { menus: [{ links: [{ label: 'a', page: 4 }], menu: { links: [{ label: 'b', page: 5 }] } }] }
    assert.deepEqual(placesOf(create(body).references), {
      page: [
        { id: 4, path: 'menus.0.links.0.page' },
        { id: 5, path: 'menus.0.menu.links.0.page' },
      ],
    })
    const wrong = {
      menus: [{ menu: { menu: { links: [{ label: 'a' }, { label: 'b' }, { label: 'c', x: 1 }] } } }],
    }
    assert.deepEqual(
      problemsOf(() => create(wrong)),
      ['menus.0.menu.menu.links max', 'menus.0.menu.menu.links.2.x unknown'],
    )
  })

  it('is refused where it nests deeper than databases can store', () => {
    const nest = (depth: number, inner: object): object =>
      depth === 0 ? inner : { menu: nest(depth - 1, inner) }
    assert.deepEqual(create({ menus: [nest(28, {})] }).problems, [])
    assert.match(problemsOf(() => create({ menus: [nest(29, {})] })).join(), /^menus\.0(\.menu){29} depth$/)
    assert.match(problemsOf(() => create({ menus: [nest(5000, {})] })).join(), /^menus\.0(\.menu){29} depth$/)
    assert.deepEqual(create({ menus: [nest(26, { data: [[]] })] }).problems, [])
    assert.match(problemsOf(() => create({ menus: [nest(26, { data: [[[]]] })] })).join(), /data depth$/)
  })
})

describe('a dynamic zone', () => {
  it('keeps the order of its blocks, their components and ids', () => {
    const blocks = [
      { __component: 'shared.menu', id: 'm', image: 1 },
      { __component: 'shared.link', label: 'a', url: null, isExternal: true, since: now, page: null },
      { __component: 'shared.menu' },
    ]
    const [first = {}, link, last = {}] = blocks
    assert.deepEqual(create({ blocks }).columns.blocks, [wholeMenu(first), link, wholeMenu(last)])
  })

  it('has blocks of its own components only', () => {
    for (const block of [
      {},
      { __component: 'shared.seo' },
      { __component: 5 },
      { __component: 'toString' },
    ]) {
      assert.deepEqual(
        problemsOf(() => create({ blocks: [block] })),
        ['blocks.0.__component component'],
      )
    }
    const inherited = Object.create({ __component: 'shared.menu' })
    assert.deepEqual(
      problemsOf(() => create({ blocks: [inherited] })),
      ['blocks.0.__component component'],
    )
    assert.deepEqual(
      problemsOf(() => create({ blocks: [null, 'x', []] })),
      ['blocks.0 type', 'blocks.1 type', 'blocks.2 type'],
    )
    assert.deepEqual(
      problemsOf(() => create({ blocks: {} })),
      ['blocks type'],
    )
  })

  it('checks each block by its component', () => {
    const blocks = [{ __component: 'shared.link' }, { __component: 'shared.menu', label: 'a', links: [] }]
    assert.deepEqual(
      problemsOf(() => create({ blocks })),
      ['blocks.0.label required', 'blocks.1.label unknown', 'blocks.1.links min'],
    )
  })

  it('may be required to have a block', () => {
    const required = checkerOf(
      { blocks: { type: 'dynamicZone', components: ['shared.link'], required: true } },
      link,
    )
    for (const body of [{}, { blocks: null }, { blocks: [] }]) {
      assert.deepEqual(
        problemsOf(() => required.forCreate(body, now)),
        ['blocks required'],
      )
    }
  })
})

describe('components that a schema names', () => {
  it('must be declared', () => {
    assert.throws(() => checkerOf({ seo: { type: 'component', component: 'shared.seo' } }), /shared\.seo/)
  })
})
