import type { ColumnKind } from '../../tables/column-kind.ts'
import type { JsonIds, JsonMember, JsonShape, JsonValue } from '../../tables/json-shape.ts'
import { conversionOf } from '../conversion.ts'
import {
  describeJsonLoss,
  type ItemChange,
  type JsonConversion,
  type MemberConversion,
} from './conversions.ts'
import { keptAs } from './held-value.ts'
import { droppedAside } from './losses.ts'
import type { Item, Place } from './place.ts'

/** An attribute of components, as it was and as it is declared. */
export interface ChangedMember {
  readonly name: string
  /** Its former name. */
  readonly source: string
  readonly from: JsonMember
  readonly to: JsonMember
  /** Where the components are. */
  readonly place: Place
}

/**
 * How the values of one attribute become what is declared. Values that do not fit are set aside in the component,
 * under a name that no attribute can have, so that reading the attribute never returns a value of another type.
 */
export function convertMember(
  changed: ChangedMember,
  inside: (from: JsonShape, to: JsonShape, place: Place) => JsonConversion | undefined,
): MemberConversion {
  const { from, to, name, place } = changed
  if (from.is === 'value' && to.is === 'value') return convertValues(changed, from, to)
  if (from.is === 'ids' && to.is === 'ids' && from.table === to.table) return convertIds(changed, from, to)
  const holder = inside(from, to, [...place, { member: name }])
  return holder === undefined ? replaceMember(changed) : withinMember(changed, holder)
}

function withinMember(
  { name, to }: ChangedMember,
  { convert, shape, losses }: JsonConversion,
): MemberConversion {
  const change = (item: Item) => {
    if ((item[name] ?? null) !== null) item[name] = convert?.(item[name])
  }
  const member = () => ({ ...to, ...shape() })
  return { changes: convert === undefined ? [] : [change], member, asides: () => ({}), losses }
}

function convertValues(changed: ChangedMember, from: JsonValue, to: JsonValue): MemberConversion {
  const aside = new Aside(changed)
  // Every value is valid JSON.
  if (to.kind === 'json' && from.kind !== 'json') return aside.conversion(false, () => {})
  const conversion = conversionOf(unbounded(from), unbounded(to))
  if (conversion !== 'rewrite' && conversion !== 'lossy') return unchanged(changed)
  return aside.conversion(conversion === 'lossy', (item, value) => {
    const held = keptAs(to.kind, value, from.kind)
    if (held === null) aside.take(item, value)
    item[changed.name] = held
  })
}

/** Texts in JSON have no maximum length. */
function unbounded({ kind }: JsonValue): { readonly kind: ColumnKind } {
  return { kind: kind === 'string' ? 'text' : kind }
}

function convertIds(changed: ChangedMember, from: JsonIds, to: JsonIds): MemberConversion {
  if (from.isList === to.isList) return unchanged(changed)
  const { name } = changed
  const aside = new Aside(changed)
  return aside.conversion(!to.isList, (item, value) => {
    if (to.isList) {
      item[name] = Array.isArray(value) ? value : [value]
      return
    }
    if (!Array.isArray(value)) return
    if (value.length > 1) aside.take(item, value)
    item[name] = value[0] ?? null
  })
}

/** The old values mean nothing as new ones: ids of another table, for example. */
function replaceMember(changed: ChangedMember): MemberConversion {
  const aside = new Aside(changed)
  return aside.conversion(true, (item, value) => {
    if (!Array.isArray(value) || value.length > 0) aside.take(item, value)
    delete item[changed.name]
  })
}

function unchanged({ to }: ChangedMember): MemberConversion {
  return { changes: [], member: () => to, asides: () => ({}), losses: [] }
}

/** Where values that do not fit are kept. */
class Aside {
  readonly #changed: ChangedMember
  readonly #name: string
  #isUsed = false

  constructor(changed: ChangedMember) {
    this.#changed = changed
    this.#name = asideName(changed.name, changed.from)
  }

  take(item: Item, value: unknown): void {
    this.#isUsed = true
    item[this.#name] = value
  }

  conversion(isLossy: boolean, convert: (item: Item, value: unknown) => void): MemberConversion {
    const { name, from, to, place } = this.#changed
    const change: ItemChange = (item) => {
      if ((item[name] ?? null) !== null) convert(item, item[name])
    }
    const { renamedFrom: _before, ...kept } = from
    const aside: JsonMember = { ...kept, asideOf: { member: name, reason: describeJsonLoss(from, to) } }
    return {
      changes: [change],
      member: () => to,
      asides: () => (this.#isUsed ? { [this.#name]: aside } : {}),
      losses: isLossy ? [droppedAside(place, this.#name, aside, to)] : [],
    }
  }
}

/** Contains a character that attribute names cannot have. */
export function asideName(name: string, shape: JsonShape): string {
  switch (shape.is) {
    case 'value':
      return `${name}@${shape.kind}`
    case 'ids':
      return `${name}@${shape.table}${shape.isList ? '[]' : ''}`
    case 'items':
      return `${name}@${shape.component}`
    case 'blocks':
      return `${name}@blocks`
  }
}
