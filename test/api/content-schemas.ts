/** A schema file of the content tests; names and kind are filled in by its path. */
interface SchemaSource {
  readonly kind?: 'singleType'
  readonly options?: object
  readonly indexes?: readonly object[]
  readonly attributes: Readonly<Record<string, object>>
}

const relation = (kind: string, target: string, more: object = {}) => ({
  type: 'relation',
  relation: kind,
  target,
  ...more,
})

const types: Readonly<Record<string, SchemaSource>> = {
  /** Every kind of attribute, without drafts. */
  sample: {
    indexes: [{ fields: ['title'], type: 'index' }],
    attributes: {
      title: { type: 'string', maxLength: 100 },
      code: { type: 'string', unique: true },
      body: { type: 'text', minLength: 2 },
      rich: { type: 'richtext' },
      mail: { type: 'email' },
      count: { type: 'integer', min: -1000, max: 1000 },
      big: { type: 'bigint' },
      price: { type: 'decimal', min: -1e9 },
      isOn: { type: 'boolean' },
      day: { type: 'date' },
      seenAt: { type: 'datetime' },
      kind: { type: 'enum', enum: ['red', 'green', 'Blue'] },
      data: { type: 'json' },
      cover: { type: 'media' },
      gallery: { type: 'media', multiple: true },
      owner: relation('manyToOne', 'person', { inversedBy: 'samples' }),
      tags: relation('manyToMany', 'tag', { inversedBy: 'samples' }),
      twin: relation('oneToOne', 'sample', { inversedBy: 'twinOf' }),
      twinOf: relation('oneToOne', 'sample', { mappedBy: 'twin' }),
      seo: { type: 'component', component: 'test.seo' },
      links: { type: 'component', component: 'test.link', repeatable: true, max: 5 },
      blocks: { type: 'dynamicZone', components: ['test.link', 'test.menu', 'test.seo'] },
    },
  },
  /** Drafts, and relations to itself. */
  person: {
    options: { draftAndPublish: true },
    attributes: {
      name: { type: 'string', required: true },
      age: { type: 'integer' },
      boss: relation('manyToOne', 'person', { inversedBy: 'staff' }),
      staff: relation('oneToMany', 'person', { mappedBy: 'boss' }),
      friends: relation('manyToMany', 'person'),
      samples: relation('oneToMany', 'sample', { mappedBy: 'owner' }),
    },
  },
  tag: {
    attributes: {
      name: { type: 'string', required: true, unique: true },
      samples: relation('manyToMany', 'sample', { mappedBy: 'tags' }),
    },
  },
  /** Defaults, bounds, conditions. */
  form: {
    attributes: {
      title: { type: 'string', required: true, minLength: 2, maxLength: 10 },
      kind: { type: 'enum', enum: ['video', 'text'], default: 'text' },
      url: { type: 'string', required: true, condition: { field: 'kind', operator: 'eq', value: 'video' } },
      count: { type: 'integer', default: 3 },
      madeAt: { type: 'datetime', default: 'now' },
      settings: { type: 'json', default: { size: 'small' } },
      isOpen: { type: 'boolean', default: true },
      items: { type: 'component', component: 'test.link', repeatable: true, min: 1, max: 2 },
    },
  },
  memo: {
    options: { softDelete: true },
    attributes: {
      title: { type: 'string', required: true },
      slug: { type: 'string', unique: true },
      previous: relation('manyToOne', 'memo', { inversedBy: 'next' }),
      next: relation('oneToMany', 'memo', { mappedBy: 'previous' }),
    },
  },
  home: {
    kind: 'singleType',
    attributes: {
      headline: { type: 'string', required: true },
      lead: relation('manyToOne', 'person'),
    },
  },
  /** Without timestamps. */
  plain: { options: { timestamps: false }, attributes: { title: { type: 'string' } } },
  /** What happens to those that point at a deleted entry. */
  shelf: {
    attributes: {
      name: { type: 'string' },
      parent: relation('manyToOne', 'shelf', { onDelete: 'CASCADE' }),
    },
  },
  book: {
    attributes: {
      title: { type: 'string' },
      shelf: relation('manyToOne', 'shelf', { onDelete: 'CASCADE' }),
      sequelOf: relation('manyToOne', 'book', { onDelete: 'SET NULL' }),
      similar: relation('manyToMany', 'book'),
    },
  },
  loan: { attributes: { book: relation('manyToOne', 'book', { onDelete: 'RESTRICT' }) } },
}

const components: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  'test.seo': {
    title: { type: 'string', required: true, maxLength: 20 },
    image: { type: 'media' },
    noIndex: { type: 'boolean', default: false },
  },
  'test.link': {
    label: { type: 'string', required: true },
    person: relation('manyToOne', 'person'),
    tags: relation('manyToMany', 'tag'),
  },
  'test.menu': {
    title: { type: 'string' },
    links: { type: 'component', component: 'test.link', repeatable: true },
    image: { type: 'media' },
    price: { type: 'decimal' },
  },
}

type Item = Readonly<Record<string, unknown>>

/** Components of the tests with all of their attributes, those that were not sent as they are answered then. */
export const whole = {
  seo: (sent: Item): Item => ({ image: null, noIndex: false, ...sent }),
  link: (sent: Item): Item => ({ person: null, tags: [], ...sent }),
  menu: (sent: Item): Item => ({
    ...{ title: null, image: null, price: null, ...sent },
    links: ((sent.links ?? []) as Item[]).map(whole.link),
  }),
}

/** A block of a zone, in the same way. */
export function wholeBlock(sent: Item): Item {
  return whole[String(sent.__component).replace('test.', '') as keyof typeof whole](sent)
}

/** All schema files by their path in the schemas directory. */
export const schemaFiles: Readonly<Record<string, object>> = Object.fromEntries([
  ...Object.entries(types).map(([name, type]) => [`${name}.json`, typeFile(name, type)]),
  ...Object.entries(components).map(([uid, attributes]) => [
    `components/${uid}.json`,
    { uid, category: 'test', info: { displayName: uid }, attributes },
  ]),
])

/** The names of all content types of the tests. */
export const typeNames: readonly string[] = Object.keys(types)

function typeFile(name: string, { kind, ...type }: SchemaSource) {
  return {
    kind: kind ?? 'collectionType',
    info: { singularName: name, pluralName: `${name}-list`, displayName: name },
    ...type,
  }
}
