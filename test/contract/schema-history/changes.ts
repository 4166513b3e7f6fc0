import fc from 'fast-check'
import {
  type Attribute,
  type Attributes,
  holderKinds,
  isHolder,
  isLink,
  type Kind,
  type Place,
  scalarKinds,
  type Version,
} from './version.ts'

/** A change of the schema; its numbers choose among what there is. */
export interface Change {
  readonly change: (typeof changes)[number]
  readonly place: Place
  readonly which: number
  readonly as: number
}

const changes = [
  'rename',
  'remove',
  'add',
  'retype',
  'forget renames',
  'publication',
  'softDelete',
  'i18n',
] as const

export const anyChange: fc.Arbitrary<Change> = fc.record({
  change: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...changes.slice(0, 4)) },
    { weight: 2, arbitrary: fc.constantFrom(...changes.slice(4)) },
  ),
  place: fc.constantFrom<Place>('note', 'note', 'card'),
  which: fc.nat(11),
  as: fc.nat(11),
})

/** Names of attributes that can become each other; links of several in types have tables of their own. */
const names = { scalar: ['a', 'b', 'c', 'd'], toOne: ['p', 'q'], toMany: ['m'], holder: ['h', 'k'] } as const

type Group = keyof typeof names

function groupOf(kind: Kind, place: Place): Group {
  if (isHolder(kind)) return 'holder'
  if (!isLink(kind)) return 'scalar'
  return place === 'card' ? 'toOne' : kind
}

const kindsOf = (group: Group, place: Place): readonly Kind[] => {
  if (group === 'scalar') return scalarKinds
  if (group === 'holder') return holderKinds
  return place === 'card' ? ['toOne', 'toMany'] : [group]
}

const pick = <T>(items: readonly T[], number: number): T | undefined => items[number % items.length]

/** The next version of a schema: what cannot be done is left out. */
export function changed(version: Version, all: readonly Change[]): Version {
  return all.reduce((next, change) => changedBy(next, change, version), version)
}

function changedBy(version: Version, { change, place, which, as }: Change, before: Version): Version {
  const { options } = version
  switch (change) {
    case 'publication': {
      const publication = pick(['none', 'drafts', 'overlay'] as const, which) ?? 'none'
      return { ...version, options: { ...options, publication } }
    }
    case 'softDelete':
    case 'i18n':
      return { ...version, options: { ...options, [change]: !options[change] } }
    case 'add':
      return added(version, place, { which, as }, before)
    default: {
      const [name, attribute] = pick(Object.entries(version[place]), which) ?? []
      if (name === undefined || attribute === undefined) return version
      const chosen = { name, attribute, place, as }
      if (change === 'rename') return renamed(version, chosen, before)
      if (change === 'remove') return removed(version, chosen)
      if (change === 'retype') return retyped(version, chosen)
      const isKnown = nameBefore(before, place, attribute) === name
      return isKnown ? having(version, place, [[name, { ...attribute, renamedFrom: undefined }]]) : version
    }
  }
}

interface Chosen {
  readonly name: string
  readonly attribute: Attribute
  readonly place: Place
  readonly as: number
}

const having = (
  version: Version,
  place: Place,
  entries: readonly (readonly [string, Attribute])[],
): Version => ({
  ...version,
  [place]: { ...version[place], ...Object.fromEntries(entries) },
})

const without = (attributes: Attributes, name: string): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([each]) => each !== name))

/** Under which name an attribute was known before. */
const nameBefore = (before: Version, place: Place, { lineage }: Attribute) =>
  Object.entries({ ...before.gone[place], ...before[place] }).find(
    ([, each]) => each.lineage === lineage,
  )?.[0]

/** What takes a name over must not be declared as renamed from it at the same time. */
function isFree(version: Version, place: Place, name: string, before: Version): boolean {
  if (Object.hasOwn(version[place], name)) return false
  return !Object.values(version[place]).some((each) => nameBefore(before, place, each) === name)
}

/** Whoever uses a name takes away that another attribute had it once. */
const withoutClaims = (version: Version, place: Place, name: string): Version =>
  having(
    version,
    place,
    Object.entries(version[place])
      .filter(([, { renamedFrom }]) => renamedFrom === name)
      .map(([each, attribute]) => [each, { ...attribute, renamedFrom: undefined }]),
  )

function renamed(version: Version, { name, attribute, place, as }: Chosen, before: Version): Version {
  const group = groupOf(attribute.kind, place)
  const from = nameBefore(before, place, attribute)
  // What was renamed like this before, and taken away, would be taken back.
  const isBack = (name: string) => version.gone[place][name]?.renamedFrom === from
  const free = names[group].filter(
    (each) => each !== from && !isBack(each) && isFree(version, place, each, before),
  )
  const to = pick(free, as)
  if (to === undefined || group === 'toMany' || from === undefined) return version
  const rest = withoutClaims({ ...version, [place]: without(version[place], name) }, place, to)
  // To be mended: inside components, the values of the one that was taken away are shown.
  if (place === 'card' && (version.gone.card[to] ?? before.card[to]) !== undefined) return version
  const gone = { ...version.gone, [place]: without(version.gone[place], to) }
  return { ...having(rest, place, [[to, { ...attribute, renamedFrom: from }]]), gone }
}

function removed(version: Version, { name, attribute, place }: Chosen): Version {
  if (Object.keys(version[place]).length === 1) return version
  const gone = { ...version.gone, [place]: { ...version.gone[place], [name]: attribute } }
  return { ...version, [place]: without(version[place], name), gone }
}

function retyped(version: Version, { name, attribute, place, as }: Chosen): Version {
  const kind = pick(kindsOf(groupOf(attribute.kind, place), place), as) ?? attribute.kind
  return having(version, place, [[name, { ...attribute, kind }]])
}

function added(version: Version, place: Place, { which, as }: Pick<Change, 'which' | 'as'>, before: Version) {
  const groups = (place === 'note' ? Object.keys(names) : ['scalar', 'toOne']) as Group[]
  const group = pick(groups, as) ?? 'scalar'
  const name = pick(
    names[group].filter((each) => isFree(version, place, each, before)),
    which,
  )
  const kind = pick(kindsOf(group, place), as)
  if (name === undefined || kind === undefined) return version
  const earlier = version.gone[place][name]
  const lineages = version.lineages + 1
  const lineage = earlier?.lineage ?? `${place} ${lineages}`
  const gone = { ...version.gone, [place]: without(version.gone[place], name) }
  return {
    ...having(withoutClaims(version, place, name), place, [[name, { kind, lineage }]]),
    gone,
    lineages,
  }
}

/** In words, what is different. */
export function describeVersion({ note, card, options }: Version): string {
  const words = (attributes: Attributes) =>
    Object.entries(attributes)
      .map(
        ([name, { kind, renamedFrom }]) => `${name}: ${kind}${renamedFrom ? ` (from ${renamedFrom})` : ''}`,
      )
      .join(', ')
  const on = [
    options.publication === 'none' ? [] : [options.publication],
    options.softDelete ? ['softDelete'] : [],
    options.i18n ? ['i18n'] : [],
  ].flat()
  return `note {${words(note)}} card {${words(card)}} ${on.join(' ')}`
}
