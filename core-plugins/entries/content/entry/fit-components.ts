import {
  blockName,
  type ColumnKind,
  isHeldAs,
  isJsonObject,
  type JsonIds,
  type JsonItems,
  type JsonMember,
  type JsonMembers,
  type JsonShape,
  shownDecimal,
} from '../../../foundation/database/database.ts'
import { hideBlocks, hideMember } from './hidden-parts.ts'

/**
 * Converts the stored value of a field with components to its schema, in place where possible. Values stored under another schema
 * are shown as far as they fit: missing attributes are null or an empty array, as in entries; undeclared attributes, and blocks
 * of components that the zone does not allow, are hidden. A value in another form is converted if nothing is lost (a number to
 * text, a single component to a list); otherwise it becomes null.
 */
export type Fitting = (value: unknown) => unknown

type Item = Record<string, unknown>
type ItemFitting = (item: Item) => void

/** The same for values that are not null; undefined if the value cannot be converted. */
type PartFitting = (value: unknown) => unknown

/** Compiles fittings, one per component. */
export function createFittings(): (shape: JsonShape) => Fitting {
  const ofItems = new Map<JsonMembers, ItemFitting>()

  function itemFitting(members: JsonMembers): ItemFitting {
    const known = ofItems.get(members)
    if (known !== undefined) return known
    const made = compileItem(members, partFitting)
    ofItems.set(members, made)
    return made
  }

  function partFitting(shape: JsonShape): PartFitting {
    switch (shape.is) {
      case 'value':
        return compileValue(shape.kind)
      case 'ids':
        return compileIds(shape)
      case 'items':
        return compileItems(shape, itemFitting(shape.members))
      case 'blocks':
        return compileBlocks(
          new Map(Object.entries(shape.components).map(([uid, members]) => [uid, itemFitting(members)])),
        )
    }
  }

  return (shape) => {
    const fit = partFitting(shape)
    const empty = emptyOf(shape)
    return (value) => {
      if (value === undefined) return value
      return value === null ? empty() : (fit(value) ?? empty())
    }
  }
}

const none = () => null

function emptyOf(shape: JsonShape): () => unknown {
  const isList =
    shape.is === 'blocks' ||
    (shape.is === 'ids' && shape.isList) ||
    (shape.is === 'items' && shape.isList && shape.isNullIfEmpty !== true)
  return isList ? () => [] : none
}

interface Member {
  readonly name: string
  readonly earlier: string | undefined
  readonly fit: PartFitting
  readonly empty: () => unknown
}

function compileItem(declared: JsonMembers, fittingOf: (member: JsonMember) => PartFitting): ItemFitting {
  const members = Object.entries(declared).map(([name, member]): Member => {
    const { renamedFrom } = member
    const earlier =
      renamedFrom === undefined || Object.hasOwn(declared, renamedFrom) ? undefined : renamedFrom
    return { name, earlier, fit: fittingOf(member), empty: emptyOf(member) }
  })
  const byName = new Map(members.map((member) => [member.name, member]))

  // Runs for every component of every page, so it is a single loop over the members; most components need nothing else.
  return (item) => {
    let found = 0
    let others: string[] | undefined
    for (const name in item) {
      const member = byName.get(name)
      if (member === undefined) {
        if (name !== blockName && name !== 'id') others = [...(others ?? []), name]
        continue
      }
      found++
      const value = item[name]
      if (value !== null) {
        const fitted = member.fit(value)
        if (fitted !== value) fitMember(item, member, fitted)
      } else if (member.empty !== none) item[name] = member.empty()
    }
    if (found < members.length) complete(item, members)
    if (others !== undefined) hideMembers(item, others)
  }
}

/** `fitted` is undefined if the value does not fit. */
function fitMember(item: Item, { name, empty }: Member, fitted: unknown): void {
  if (fitted === undefined) hideMember(item, name, item[name])
  item[name] = fitted ?? empty()
}

/** Adds missing members; a member may still have its value under its former name. */
function complete(item: Item, members: readonly Member[]): void {
  for (const member of members) {
    const { name, earlier, fit, empty } = member
    if (Object.hasOwn(item, name)) continue
    const value = earlier !== undefined && Object.hasOwn(item, earlier) ? item[earlier] : null
    if (earlier !== undefined) delete item[earlier]
    item[name] = value
    if (value === null) item[name] = empty()
    else fitMember(item, member, fit(value))
  }
}

function hideMembers(item: Item, names: readonly string[]): void {
  for (const name of names) {
    if (!Object.hasOwn(item, name)) continue
    hideMember(item, name, item[name])
    delete item[name]
  }
}

function compileValue(kind: ColumnKind): PartFitting {
  switch (kind) {
    case 'json':
      return (value) => value
    case 'string':
    case 'text':
      return (value) => (typeof value === 'string' ? value : asText(value))
    case 'datetime':
      return (value) => (isHeldAs(kind, value) ? value : asMoment(value))
    case 'decimal':
      return (value) => {
        if (!isHeldAs(kind, value)) return asNumber(kind, value)
        return typeof value === 'number' ? shownDecimal(value) : value
      }
    case 'integer':
    case 'bigint':
      return (value) => (isHeldAs(kind, value) ? value : asNumber(kind, value))
    default:
      return (value) => (isHeldAs(kind, value) ? value : undefined)
  }
}

function asText(value: unknown): string | undefined {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

function asMoment(value: unknown): string | undefined {
  return isHeldAs('date', value) ? `${value}T00:00:00.000Z` : undefined
}

function asNumber(kind: ColumnKind, value: unknown): number | undefined {
  const number = typeof value === 'string' ? Number(value) : undefined
  return number !== undefined && String(number) === value && isHeldAs(kind, number) ? number : undefined
}

function compileIds({ isList }: JsonIds): PartFitting {
  if (!isList) {
    return (value) => {
      const id = Array.isArray(value) && value.length === 1 ? value[0] : value
      return isHeldAs('id', id) ? id : undefined
    }
  }
  return (value) => {
    if (!Array.isArray(value)) return isHeldAs('id', value) ? [value] : undefined
    return value.every((id) => isHeldAs('id', id)) ? value : undefined
  }
}

function compileItems({ isList }: JsonItems, fitItem: ItemFitting): PartFitting {
  // An object that names its component is a block of a zone.
  const isItem = (value: unknown): value is Item => isJsonObject(value) && !Object.hasOwn(value, blockName)
  if (!isList) {
    return (value) => {
      const item = Array.isArray(value) && value.length === 1 ? value[0] : value
      if (!isItem(item)) return undefined
      fitItem(item)
      return item
    }
  }
  return (value) => {
    const list = Array.isArray(value) ? value : [value]
    if (!list.every(isItem)) hideBlocks(list, isItem)
    for (const item of list) fitItem(item)
    return list
  }
}

function compileBlocks(fittings: ReadonlyMap<unknown, ItemFitting>): PartFitting {
  const isBlock = (value: unknown): value is Item => isJsonObject(value) && fittings.has(value[blockName])
  return (value) => {
    const list = Array.isArray(value) ? value : [value]
    let isWhole = true
    for (const block of list) {
      const fitBlock = isJsonObject(block) ? fittings.get(block[blockName]) : undefined
      if (fitBlock === undefined) isWhole = false
      else fitBlock(block)
    }
    if (!isWhole) hideBlocks(list, isBlock)
    return list
  }
}
