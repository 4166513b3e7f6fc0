import { fitsKind, type Item, idsOf, isLossless, itemsOf, tokenOf, tokensIn } from './values.ts'
import {
  type Attribute,
  type Attributes,
  componentOf,
  componentsOf,
  isHolder,
  isLink,
  type Version,
} from './version.ts'

/** An entry, or one of its components, as a version of the schema shows it. */
export interface Side {
  readonly version: Version
  readonly attributes: Attributes
  readonly data: Item
}

/** Whether an attribute of the entry has had a value that may be shown again. */
export type WasSeen = (place: string, token: string) => boolean

/**
 * What is wrong with how a later version of the schema shows what an earlier one has shown: values follow their
 * attributes, and are shown where they fit; what was hidden before may come back; nothing else is there.
 */
export function misplaced(before: Side, after: Side, wasSeen: WasSeen, path = ''): string | undefined {
  for (const [place, token] of tokensIn(after.version, after.attributes, after.data, path)) {
    if (!wasSeen(place, token)) return `${token} was never written under ${place}`
  }
  for (const [name, attribute] of Object.entries(after.attributes)) {
    const [earlierName, earlier] = earlierOf(before, attribute) ?? []
    if (earlierName === undefined || earlier === undefined) continue
    const problem = misplacedValue(
      { side: before, attribute: earlier, value: before.data[earlierName] },
      { side: after, attribute, value: after.data[name] },
      wasSeen,
      path,
    )
    if (problem !== undefined) return `${name}: ${problem}`
  }
  return undefined
}

const earlierOf = ({ attributes }: Side, { lineage }: Attribute) =>
  Object.entries(attributes).find(([, each]) => each.lineage === lineage)

interface Value {
  readonly side: Side
  readonly attribute: Attribute
  readonly value: unknown
}

function misplacedValue(before: Value, after: Value, wasSeen: WasSeen, path: string): string | undefined {
  const { kind } = after.attribute
  if (isHolder(kind)) return misplacedItems(before, after, wasSeen, path)
  const words = `${JSON.stringify(after.value)} instead of ${JSON.stringify(before.value)}`
  if (isLink(kind)) {
    const ids = idsOf(before.value)
    const expected = kind === 'toOne' ? ids.slice(0, 1) : ids
    const isSame = before.attribute.kind === kind
    const shown = idsOf(after.value)
    const isRight = isSame ? expected.join() === shown.join() : expected.every((id) => shown.includes(id))
    return isRight ? undefined : words
  }
  const token = tokenOf(before.value)
  if (token === undefined) return undefined
  const shown = tokenOf(after.value)
  const mayBeHidden = !isLossless(before.attribute.kind, kind)
  const isRight = shown === undefined ? mayBeHidden : shown === token && fitsKind(kind, token)
  return isRight ? undefined : words
}

/** Components stay in order; those that were hidden may stand between them. */
function misplacedItems(before: Value, after: Value, wasSeen: WasSeen, path: string): string | undefined {
  const expected = stillShown(before, after)
  const inner = `${path}${after.attribute.lineage}/`
  let problem: string | undefined
  let found = 0
  const items = itemsOf(after.value)
  for (const item of items) {
    const next = expected[found]
    if (next === undefined) break
    problem = misplacedItem({ ...before, value: next }, { ...after, value: item }, wasSeen, inner)
    if (problem === undefined) found += 1
  }
  const words = `${JSON.stringify(after.value)} instead of ${JSON.stringify(expected)}`
  if (found < expected.length) return `${words}: ${problem ?? 'missing'}`
  const isSame = before.attribute.kind === after.attribute.kind
  return isSame && items.length > expected.length ? words : undefined
}

function misplacedItem(before: Value, after: Value, wasSeen: WasSeen, path: string): string | undefined {
  const [earlier, later] = [before.value as Item, after.value as Item]
  const component = (item: Item) => item.__component ?? 'shared.card'
  if (component(earlier) !== component(later)) return 'another component'
  const sideOf = ({ side: { version } }: Value, data: Item): Side => ({
    version,
    attributes: componentOf(version, data.__component),
    data,
  })
  return misplaced(sideOf(before, earlier), sideOf(after, later), wasSeen, path)
}

function stillShown(before: Value, { attribute: { kind } }: Value): Item[] {
  const items = itemsOf(before.value)
  const wasZone = before.attribute.kind === 'zone' || before.attribute.kind === 'cardZone'
  if (kind === 'zone' || kind === 'cardZone') {
    return items.filter(({ __component = 'shared.card' }) => componentsOf(kind).includes(String(__component)))
  }
  // What a zone had fits no other attribute.
  if (wasZone) return []
  return kind === 'card' ? items.slice(0, 1) : items
}
