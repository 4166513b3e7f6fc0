import {
  blockName,
  isJsonObject,
  type JsonBlocks,
  type JsonItems,
  type JsonMember,
  type JsonMembers,
  type JsonShape,
} from '../../tables/json-shape.ts'
import {
  describeJsonLoss,
  type ItemChange,
  type JsonConversion,
  type MemberConversion,
  type MembersConversion,
} from './conversions.ts'
import { type ChangedMember, convertMember } from './convert-member.ts'
import { droppedAside, droppedComponent, droppedMember, type JsonLoss, replacedColumn } from './losses.ts'
import type { Item, Place } from './place.ts'
import { putBack } from './put-back.ts'

/** Compares the shape that a column was created with and the declared one. */
export function convertJson(from: JsonShape, to: JsonShape): JsonConversion {
  const inner = convertHolder(from, to, [])
  if (inner !== undefined) return inner
  return { convert: undefined, shape: () => from, losses: [replacedColumn(to, describeJsonLoss(from, to))] }
}

/** For shapes that hold components; undefined if the two have nothing in common. */
function convertHolder(from: JsonShape, to: JsonShape, place: Place): JsonConversion | undefined {
  if (from.is === 'items' && to.is === 'items') return convertItems(from, to, place)
  if (from.is === 'blocks' && to.is === 'blocks') return convertBlocks(from, to, place)
  if (from.is !== 'items' || to.is !== 'blocks' || !Object.hasOwn(to.components, from.component))
    return undefined
  return intoBlocks(from, to, place)
}

/** The member of a component that keeps the rest of a list, after an attribute was changed to hold only one. */
const restName = '@rest'

function convertItems(from: JsonItems, to: JsonItems, place: Place): JsonConversion {
  const { [restName]: rest, ...members } = from.members
  const isKept = rest !== undefined && !to.isList
  const inner = convertMembers(isKept ? from.members : members, to.members, place)
  const isSplit = from.isList && !to.isList
  const isSame = inner.changes.length === 0 && from.isList === to.isList
  const asideOf = { member: '', reason: describeJsonLoss(from, to) }
  const kept: JsonMember = { ...from, asideOf }
  let isUsed = false

  function convertLists(value: unknown): unknown {
    if (to.isList) return (Array.isArray(value) ? value : [value]).flatMap(withRest)
    const [first, ...others] = Array.isArray(value) ? value : [value]
    if (others.length === 0 || !isJsonObject(first)) return first ?? null
    isUsed = true
    return { ...first, [restName]: others }
  }

  return {
    convert: isSame
      ? undefined
      : (value) => {
          const items = Array.isArray(value) ? value : [value]
          for (const item of items) if (isJsonObject(item)) changeItem(item, inner)
          return from.isList === to.isList ? value : convertLists(value)
        },
    shape: () => ({
      ...to,
      members: { ...inner.members(), ...(isSplit && isUsed ? { [restName]: kept } : {}) },
    }),
    losses: [...inner.losses, ...(isSplit ? [droppedAside(place, restName, kept, undefined)] : [])],
  }
}

/** A component, followed by the rest of the list that is kept in it. */
function withRest(item: unknown): unknown[] {
  if (!isJsonObject(item) || !Object.hasOwn(item, restName)) return [item]
  const { [restName]: rest, ...first } = item
  return [first, ...(Array.isArray(rest) ? rest : [])]
}

function changeItem(item: Item, { changes }: MembersConversion): void {
  for (const change of changes) change(item)
}

function convertBlocks(from: JsonBlocks, to: JsonBlocks, place: Place): JsonConversion {
  const inner = new Map(
    Object.entries(from.components).flatMap(([uid, members]) => {
      const declared = to.components[uid]
      const here = [...place, { component: uid }]
      return declared === undefined ? [] : [[uid, convertMembers(members, declared, here)] as const]
    }),
  )
  const gone = Object.entries(from.components).filter(([uid]) => !inner.has(uid))
  const isSame = [...inner.values()].every(({ changes }) => changes.length === 0)
  const membersOf = () => [...inner].map(([uid, each]) => [uid, each.members()] as const)
  return {
    convert: isSame
      ? undefined
      : (value) => {
          for (const block of Array.isArray(value) ? value : []) {
            const conversion = isJsonObject(block) ? inner.get(String(block[blockName])) : undefined
            if (conversion !== undefined) changeItem(block, conversion)
          }
          return value
        },
    shape: () => ({
      ...to,
      components: { ...to.components, ...Object.fromEntries([...gone, ...membersOf()]) },
    }),
    losses: [
      ...[...inner.values()].flatMap(({ losses }) => losses),
      ...gone.map(([uid]) => droppedComponent(place, uid)),
    ],
  }
}

/** Turns a component, or a list of them, into blocks of a zone that allows such blocks. */
function intoBlocks(from: JsonItems, to: JsonBlocks, place: Place): JsonConversion {
  const { component } = from
  const { [restName]: _rest, ...members } = from.members
  const here = [...place, { component }]
  const inner = convertMembers(members, to.components[component] ?? {}, here)
  return {
    convert: (value) =>
      (Array.isArray(value) ? value : [value]).flatMap(withRest).map((item) => {
        if (!isJsonObject(item) || Object.hasOwn(item, blockName)) return item
        changeItem(item, inner)
        return { [blockName]: component, ...item }
      }),
    shape: () => ({ ...to, components: { ...to.components, [component]: inner.members() } }),
    losses: inner.losses,
  }
}

function convertMembers(from: JsonMembers, to: JsonMembers, place: Place): MembersConversion {
  const known = Object.entries(to).flatMap(([name, member]) => {
    const source = sourceOf(name, member, from, to)
    const earlier = source === undefined ? undefined : from[source]
    if (source === undefined || earlier === undefined) return []
    const changed = { name, source, from: earlier, to: member, place }
    return [withAsides(changed, from, convertMember(changed, convertHolder))]
  })
  const taken = new Set(known.flatMap((each) => each.taken))
  const replaced = Object.entries(to).flatMap(([name, member]) =>
    replaces(name, member, from, to) ? [{ name, aside: freeName(name, from) }] : [],
  )
  const kept = Object.entries(from)
    .filter(([name]) => !taken.has(name))
    .map(([name, member]) => keptMember(name, member, replaced))
  return {
    changes: [
      ...leftUnderEarlierNames(from, to),
      ...replaced.map(({ name, aside }) => rename(name, aside)),
      ...known.flatMap(({ changes }) => changes),
    ],
    members: () => Object.assign({ ...to }, ...known.map((each) => each.members()), Object.fromEntries(kept)),
    losses: [...known.flatMap(({ losses }) => losses), ...kept.map((each) => lossOf(each, place, to))],
  }
}

/**
 * Whether the name of a renamed attribute currently belongs to another one, which was removed earlier or is being
 * removed now. A member created by the same rename is the same attribute, as when schema files are switched back and
 * forth.
 */
function replaces(name: string, { renamedFrom }: JsonMember, from: JsonMembers, to: JsonMembers): boolean {
  if (renamedFrom === undefined || Object.hasOwn(to, renamedFrom)) return false
  const [replaced, renamed] = [from[name], from[renamedFrom]]
  if (replaced === undefined || renamed === undefined || replaced.renamedFrom === renamedFrom) return false
  return renamed.isUnused !== true || replaced.isUnused === true
}

/** Contains a character that attribute names cannot have. */
function freeName(name: string, from: JsonMembers): string {
  let number = 1
  while (Object.hasOwn(from, `${name}@${number}`)) number += 1
  return `${name}@${number}`
}

/**
 * A member that is no longer declared, renamed if its name is taken by another. Values set aside for it must not
 * return to the other attribute.
 */
function keptMember(
  name: string,
  member: JsonMember,
  replaced: readonly { readonly name: string; readonly aside: string }[],
): readonly [string, JsonMember] {
  const { asideOf, ...rest } = member
  const isOfReplaced = replaced.some((each) => each.name === asideOf?.member)
  const kept: JsonMember = {
    ...rest,
    ...(asideOf === undefined || isOfReplaced ? {} : { asideOf }),
    isUnused: true,
  }
  return [replaced.find((each) => each.name === name)?.aside ?? name, kept]
}

/**
 * An attribute together with values set aside for it earlier, which follow its name, and may fit again if it changes.
 */
function withAsides(
  changed: ChangedMember,
  from: JsonMembers,
  { changes, member, asides, losses }: MemberConversion,
) {
  const { name, source, to } = changed
  const isRenamed = source !== name
  const before = Object.entries(from).filter(([, each]) => each.asideOf?.member === source)
  const renamed = before.map(([key, { asideOf = noReason, ...aside }]) => ({
    key,
    name: isRenamed ? `${name}${key.slice(source.length)}` : key,
    aside: { ...aside, asideOf: { ...asideOf, member: name } },
  }))
  const restored =
    changes.length === 0 ? [] : renamed.map((each) => putBack({ name, to }, [each.name, each.aside]))
  const stays = isRenamed && restored.length === 0 ? renamed : []
  return {
    taken: [source, ...(isRenamed || restored.length > 0 ? before.map(([key]) => key) : [])],
    changes: [
      ...(isRenamed ? [{ key: source, name }, ...renamed].map((each) => rename(each.key, each.name)) : []),
      ...changes,
      ...restored.map(({ change }) => change),
    ],
    members: (): JsonMembers =>
      Object.assign(
        { [name]: member(), ...asides() },
        ...restored.map(({ left }) => left()),
        Object.fromEntries(stays.map((each) => [each.name, each.aside])),
      ),
    losses,
  }
}

const noReason = { member: '', reason: '' }

function lossOf([name, member]: readonly [string, JsonMember], place: Place, to: JsonMembers): JsonLoss {
  if (member.asideOf === undefined) return droppedMember(place, name, member)
  return droppedAside(place, name, member, to[member.asideOf.member])
}

function rename(source: string, name: string): ItemChange {
  return (item) => {
    if (!Object.hasOwn(item, source) || Object.hasOwn(item, name)) return
    item[name] = item[source]
    delete item[source]
  }
}

/** The name that the attribute had at an earlier start. */
function sourceOf(name: string, member: JsonMember, from: JsonMembers, to: JsonMembers): string | undefined {
  if (replaces(name, member, from, to)) return member.renamedFrom
  if (Object.hasOwn(from, name)) return name
  const { renamedFrom } = member
  if (renamedFrom === undefined || Object.hasOwn(to, renamedFrom)) return undefined
  return Object.hasOwn(from, renamedFrom) ? renamedFrom : undefined
}

/**
 * Values that a process of an earlier version wrote under the earlier name of a renamed attribute must not become
 * values of another attribute that gets that name.
 */
function leftUnderEarlierNames(from: JsonMembers, to: JsonMembers): ItemChange[] {
  return Object.entries(from).flatMap(([name, { renamedFrom }]) => {
    if (renamedFrom === undefined || Object.hasOwn(from, renamedFrom) || !Object.hasOwn(to, renamedFrom))
      return []
    return (item: Item) => {
      if (!Object.hasOwn(item, renamedFrom)) return
      item[name] ??= item[renamedFrom]
      delete item[renamedFrom]
    }
  })
}
