import { component, type } from '../../schemas/schema-directory.ts'

/*
 * The schema of a project that changes from start to start: a type `note`, whose cards are components, and `author`, to
 * which both refer.
 */

export const scalarKinds = [
  'string',
  'text',
  'integer',
  'decimal',
  'boolean',
  'date',
  'datetime',
  'json',
] as const
export const holderKinds = ['card', 'cards', 'zone', 'cardZone'] as const
export const linkKinds = ['toOne', 'toMany'] as const

export type ScalarKind = (typeof scalarKinds)[number]
export type HolderKind = (typeof holderKinds)[number]
export type LinkKind = (typeof linkKinds)[number]
export type Kind = ScalarKind | HolderKind | LinkKind

export interface Attribute {
  readonly kind: Kind
  /** Is the same as long as the values are: under other names, and in versions without and with it again. */
  readonly lineage: string
  readonly renamedFrom?: string | undefined
}

export type Attributes = Readonly<Record<string, Attribute>>

export type Place = 'note' | 'card'

export interface Options {
  readonly publication: 'none' | 'drafts' | 'overlay'
  readonly softDelete: boolean
  readonly i18n: boolean
}

export interface Version {
  readonly note: Attributes
  readonly card: Attributes
  readonly options: Options
  /** Attributes that were taken away, whose values wait for a decision. */
  readonly gone: Readonly<Record<Place, Attributes>>
  readonly lineages: number
}

export const firstVersion: Version = {
  note: {
    a: { kind: 'string', lineage: 'note 1' },
    b: { kind: 'integer', lineage: 'note 2' },
    p: { kind: 'toOne', lineage: 'note 3' },
    m: { kind: 'toMany', lineage: 'note 4' },
    h: { kind: 'card', lineage: 'note 5' },
    k: { kind: 'zone', lineage: 'note 6' },
  },
  card: {
    a: { kind: 'string', lineage: 'card 7' },
    b: { kind: 'integer', lineage: 'card 8' },
    p: { kind: 'toOne', lineage: 'card 9' },
  },
  options: { publication: 'none', softDelete: false, i18n: false },
  gone: { note: {}, card: {} },
  lineages: 9,
}

/** Of the component that does not change. */
export const quote: Attributes = { words: { kind: 'string', lineage: 'quote' } }

export const isHolder = (kind: Kind): kind is HolderKind => (holderKinds as readonly Kind[]).includes(kind)
export const isLink = (kind: Kind): kind is LinkKind => (linkKinds as readonly Kind[]).includes(kind)

/** The attributes of a component, by its name. */
export const componentOf = (version: Version, uid: unknown): Attributes =>
  uid === 'shared.quote' ? quote : version.card

export const componentsOf = (kind: Kind): readonly string[] =>
  kind === 'zone' ? ['shared.card', 'shared.quote'] : ['shared.card']

export function schemaFiles({ note, card, options }: Version) {
  const { publication, softDelete, i18n } = options
  return {
    'note.json': type('note', files(note), {
      options: {
        draftAndPublish: publication !== 'none',
        draftOverlay: publication === 'overlay',
        softDelete,
        i18n: { enabled: i18n, locales: ['en', 'de'], defaultLocale: 'en' },
      },
    }),
    'author.json': type('author', { name: { type: 'string' } }, { options: { softDelete: true } }),
    'components/shared.card.json': component('shared.card', files(card)),
    'components/shared.quote.json': component('shared.quote', files(quote)),
  }
}

function files(attributes: Attributes) {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, { kind, renamedFrom }]) => [
      name,
      { ...fileOf(kind), ...(renamedFrom === undefined ? {} : { renamedFrom }) },
    ]),
  )
}

function fileOf(kind: Kind): object {
  switch (kind) {
    case 'toOne':
      return { type: 'relation', relation: 'manyToOne', target: 'author' }
    case 'toMany':
      return { type: 'relation', relation: 'manyToMany', target: 'author' }
    case 'card':
    case 'cards':
      return { type: 'component', component: 'shared.card', repeatable: kind === 'cards' }
    case 'zone':
    case 'cardZone':
      return { type: 'dynamicZone', components: componentsOf(kind) }
    default:
      return { type: kind }
  }
}
