import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { TSchema } from 'typebox'
import {
  entrySchema,
  inputSchema,
  updateSchema,
} from '../../core-plugins/entries/content/entry/entry-schema.ts'
import { type AttributeDrafts, componentType, contentType, schemasOf } from './payload-model.ts'

const components = schemasOf(
  componentType('shared.seo', { title: { type: 'string', required: true }, image: { type: 'media' } }),
  componentType('shared.menu', {
    label: { type: 'string', required: true, default: 'menu' },
    seo: { type: 'component', component: 'shared.seo' },
    menus: { type: 'component', component: 'shared.menu', repeatable: true, max: 2 },
  }),
)

const menu = (menus: object[], seo: object | null = null) => ({ label: 'menu', seo, menus })

const drafts: AttributeDrafts = {
  title: { type: 'string', required: true, maxLength: 5 },
  kind: { type: 'enum', values: ['a', 'b'], required: true, default: 'a' },
  link: { type: 'string', required: true, condition: { field: 'kind', operator: 'eq', value: 'b' } },
  mail: { type: 'email' },
  count: { type: 'integer', min: 0, max: 9 },
  big: { type: 'bigint', max: '9223372036854775000' },
  price: { type: 'decimal', min: 0 },
  day: { type: 'date' },
  seenAt: { type: 'datetime', default: 'now' },
  isOn: { type: 'boolean' },
  data: { type: 'json' },
  cover: { type: 'media' },
  gallery: { type: 'media', multiple: true },
  author: { type: 'relation', relation: 'manyToOne', target: 'author' },
  quotes: { type: 'relation', relation: 'oneToMany', target: 'quote', mappedBy: 'thing' },
  seo: { type: 'component', component: 'shared.seo', required: true },
  blocks: { type: 'dynamicZone', components: ['shared.seo', 'shared.menu'] },
  hash: { type: 'string', private: true },
}
const thing = contentType('thing', drafts, {
  draftAndPublish: true,
  softDelete: true,
  i18n: { enabled: true },
})

function compile(schema: TSchema) {
  const validate = (formats as unknown as typeof formats.default)(new Ajv2020({ strict: false })).compile(
    schema,
  )
  return (value: unknown) => {
    if (validate(value)) return undefined
    const { instancePath, keyword } = validate.errors?.[0] ?? {}
    return `${instancePath} ${keyword}`
  }
}

describe('the schema of an entry', () => {
  const problemOf = compile(entrySchema(thing, components))
  const entry = {
    id: 1,
    title: 'x',
    kind: 'a',
    link: null,
    mail: null,
    count: null,
    big: '9223372036854775000',
    price: 1.5,
    day: null,
    seenAt: null,
    isOn: null,
    data: null,
    cover: null,
    author: 7,
    gallery: [1, 2],
    seo: { id: 's1', title: 'x', image: 3 },
    blocks: [
      { __component: 'shared.menu', id: 4, ...menu([menu([menu([], { title: 'x', image: null })])]) },
      { __component: 'shared.seo', title: 'x', image: null },
    ],
    locale: 'en',
    published_at: null,
    created_at: '2026-01-31T08:00:00.000Z',
    updated_at: '2026-01-31T08:00:00.000Z',
  }

  it('describes what the API answers, populated or not', () => {
    assert.equal(problemOf(entry), undefined)
    const populated = {
      ...entry,
      author: { id: 7, name: 'Ada' },
      gallery: [{ id: 1, url: '/x' }],
      quotes: [{ id: 3 }],
      seo: { title: 'x', image: { id: 3 } },
    }
    assert.equal(problemOf(populated), undefined)
    assert.equal(problemOf({ ...entry, link: null, day: null, author: null, deleted_at: null }), undefined)
  })

  it('says what is always there, and what always has a value', () => {
    for (const name of ['title', 'day', 'gallery', 'published_at', 'locale']) {
      const { [name]: _, ...rest } = entry as Record<string, unknown>
      assert.match(problemOf(rest) ?? '', /required/, name)
    }
    const lacking = [{ __component: 'shared.seo', title: 'x' }]
    assert.match(problemOf({ ...entry, blocks: lacking }) ?? '', /required|anyOf/)
    for (const name of ['title', 'kind', 'seo', 'gallery']) {
      assert.match(problemOf({ ...entry, [name]: null }) ?? '', new RegExp(`^/${name}`), name)
    }
  })

  it('does not describe anything else', () => {
    const wrong: Record<string, unknown> = {
      id: 0,
      title: 5,
      price: 'much',
      author: 'Ada',
      gallery: [{}],
      seo: { title: 5 },
      blocks: [{ __component: 'shared.seo', image: 'x' }],
      created_at: 'yesterday',
      published_at: 5,
    }
    for (const [name, value] of Object.entries(wrong)) {
      assert.match(problemOf({ ...entry, [name]: value }) ?? '', new RegExp(`^/${name}`), name)
    }
    const deep = { __component: 'shared.menu', ...menu([menu([], { title: 5, image: null })]) }
    assert.match(problemOf({ ...entry, blocks: [deep] }) ?? '', /^\/blocks\/0\//)
  })

  it('is silent about what never leaves the service', () => {
    assert.ok(!JSON.stringify(entrySchema(thing, components)).includes('hash'))
  })
})

describe('the schema of a payload', () => {
  const inputProblemOf = compile(inputSchema(thing, components))
  const updateProblemOf = compile(updateSchema(thing, components))
  const payload = { title: 'x', seo: { title: 'x' } }

  it('asks for what is required whatever the other fields hold, unless there is a default', () => {
    assert.equal(inputProblemOf(payload), undefined)
    assert.equal(inputProblemOf({ title: 'x' }), ' required')
    assert.equal(inputProblemOf({ ...payload, seo: {} }), '/seo required')
    assert.match(inputProblemOf({ ...payload, title: null }) ?? '', /^\/title/)
    assert.equal(inputProblemOf({ ...payload, link: null, locale: 'en' }), undefined)
  })

  it('asks for nothing in a change, but for whole components', () => {
    assert.equal(updateProblemOf({}), undefined)
    assert.equal(updateProblemOf({ seo: {} }), '/seo required')
    assert.match(updateProblemOf({ title: null }) ?? '', /^\/title/)
    assert.equal(updateProblemOf({ blocks: [{ __component: 'shared.menu' }], author: null }), undefined)
  })

  it('takes ids only, and knows no inverse sides', () => {
    assert.match(updateProblemOf({ author: { id: 7 } }) ?? '', /^\/author/)
    assert.match(updateProblemOf({ gallery: [{ id: 7 }] }) ?? '', /^\/gallery/)
    assert.ok(!('quotes' in (inputSchema(thing, components) as unknown as { properties: object }).properties))
  })

  it('bounds values', () => {
    for (const value of [-1, 10, 1.5, '1']) assert.match(updateProblemOf({ count: value }) ?? '', /^\/count/)
    assert.match(updateProblemOf({ title: 'longer' }) ?? '', /^\/title/)
    assert.match(updateProblemOf({ mail: 'x' }) ?? '', /^\/mail/)
    assert.match(updateProblemOf({ kind: 'c' }) ?? '', /^\/kind/)
    assert.match(updateProblemOf({ day: '2026-02-30' }) ?? '', /^\/day/)
    assert.match(updateProblemOf({ big: '1.5' }) ?? '', /^\/big/)
  })
})

describe('a dynamic zone of many components', () => {
  it('has each of them once, wherever they stand', () => {
    const uids = Array.from({ length: 60 }, (_, index) => `block.number-${index}`)
    const zone = { type: 'dynamicZone', components: uids } as const
    const schemas = schemasOf(
      ...uids.map((uid) => componentType(uid, { title: { type: 'string' }, inner: zone })),
    )
    const text = JSON.stringify(entrySchema(contentType('page', { first: zone, second: zone }), schemas))
    for (const uid of uids) assert.equal(text.split(`"$id":"component.${uid}"`).length, 2)
  })
})
