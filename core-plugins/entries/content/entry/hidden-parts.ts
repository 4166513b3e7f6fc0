import { blockName, isJsonObject } from '../../../foundation/database/database.ts'
import type { ErrorDetail } from '../../../foundation/http/http.ts'

type Item = Record<string, unknown>

/** A hidden block, and the number of shown blocks before it. */
interface HiddenBlock {
  readonly position: number
  readonly block: unknown
}

/*
 * Parts of stored components that the current schema does not show: removed attributes, and blocks of components that a zone no
 * longer allows. They are kept until an administrator decides about them (see the schema sync), so writing back what was read
 * must not lose them. They are attached to the very objects that were read and are garbage-collected with them.
 */
const members = new WeakMap<object, Item>()
const blocks = new WeakMap<object, readonly HiddenBlock[]>()

/** Hides a member of a component that was read. */
export function hideMember(item: Item, name: string, value: unknown): void {
  const hidden = members.get(item)
  if (hidden === undefined) members.set(item, { [name]: value })
  else hidden[name] = value
}

/** Removes the blocks for which `isShown` is false from a list, in place, and remembers them. */
export function hideBlocks(list: unknown[], isShown: (block: unknown) => boolean): void {
  const hidden: HiddenBlock[] = []
  let position = 0
  for (const block of list) {
    if (isShown(block)) list[position++] = block
    else hidden.push({ position, block })
  }
  list.length = position
  if (hidden.length > 0) blocks.set(list, hidden)
}

/** The value to store, including its hidden parts; the same object if nothing is hidden. */
export function withHidden(value: unknown): unknown {
  if (Array.isArray(value)) return listWithHidden(value)
  if (!isJsonObject(value)) return value
  let whole = value
  for (const [name, member] of Object.entries(value)) {
    const stored = withHidden(member)
    if (stored === member) continue
    if (whole === value) whole = { ...value }
    whole[name] = stored
  }
  const hidden = members.get(value)
  if (hidden === undefined) return whole
  const stored = { ...whole }
  // An empty member hides a value that does not fit it; a member with a value was written since and wins.
  for (const [name, member] of Object.entries(hidden)) {
    if (!Object.hasOwn(stored, name) || isEmpty(stored[name])) stored[name] = member
  }
  return stored
}

function isEmpty(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0)
}

function listWithHidden(list: readonly unknown[]): readonly unknown[] {
  const stored = list.map(withHidden)
  const hidden = blocks.get(list)
  if (hidden !== undefined) {
    for (const { position, block } of hidden.toReversed()) stored.splice(position, 0, block)
    return stored
  }
  return stored.some((item, index) => item !== list[index]) ? stored : list
}

/** Whether anything is hidden in a value. */
export function hasHidden(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (members.has(value) || blocks.has(value)) return true
  return Object.values(value).some(hasHidden)
}

/** Reports the hidden parts of a value as problems of the payload that contains it. */
export function hiddenProblems(value: unknown, path: string): ErrorDetail[] {
  if (Array.isArray(value)) return hiddenInList(value, path)
  if (!isJsonObject(value)) return []
  const own = Object.keys(members.get(value) ?? {}).map((name) =>
    Object.hasOwn(value, name)
      ? { path: `${path}.${name}`, code: 'type' as const, message: 'has another type now' }
      : { path: `${path}.${name}`, code: 'unknown' as const, message: 'is not an attribute any more' },
  )
  return [...own, ...Object.entries(value).flatMap(([name, each]) => hiddenProblems(each, `${path}.${name}`))]
}

/** Paths count hidden blocks too, as the stored list does. */
function hiddenInList(list: readonly unknown[], path: string): ErrorDetail[] {
  const hidden = blocks.get(list) ?? []
  const problems = hidden.map(({ position }, before) => ({
    path: `${path}.${position + before}.${blockName}`,
    code: 'component' as const,
    message: 'is not a component of this field any more',
  }))
  const shown = list.flatMap((item, index) => {
    const before = hidden.filter(({ position }) => position <= index).length
    return hiddenProblems(item, `${path}.${index + before}`)
  })
  return [...problems, ...shown]
}

/** Passes on the hidden parts of a replaced value to the components of the new value that are the same ones. */
export function inheritHidden(before: unknown, after: unknown): void {
  if (before !== after && hasHidden(before)) inherit(before, after)
}

function inherit(before: unknown, after: unknown): void {
  if (Array.isArray(before) && Array.isArray(after)) {
    inheritInList(before, after)
    return
  }
  if (!isJsonObject(before) || !isJsonObject(after) || !isSameKind(before, after)) return
  const hidden = members.get(before)
  if (hidden !== undefined && !members.has(after)) members.set(after, { ...hidden })
  for (const [name, value] of Object.entries(after)) {
    if (Object.hasOwn(before, name)) inherit(before[name], value)
  }
}

function inheritInList(before: readonly unknown[], after: readonly unknown[]): void {
  const places = matchItems(before, after)
  for (const [index, item] of before.entries()) {
    const place = places.get(index)
    if (place !== undefined) inherit(item, after[place])
  }
  const hidden = blocks.get(before)
  if (hidden === undefined || blocks.has(after)) return
  const moved = hidden.map(({ position, block }) => ({ position: following(position, places), block }))
  blocks.set(
    after,
    moved.sort((left, right) => left.position - right.position),
  )
}

/** The new position of a block: after the nearest of its former predecessors that is still in the list. */
function following(position: number, places: ReadonlyMap<number, number>): number {
  for (let index = position - 1; index >= 0; index--) {
    const place = places.get(index)
    if (place !== undefined) return place + 1
  }
  return 0
}

/** Matches the components of two lists: by the `id` that a client gave them, else by equal content, else by position. */
function matchItems(before: readonly unknown[], after: readonly unknown[]): ReadonlyMap<number, number> {
  const places = new Map<number, number>()
  const taken = new Set<number>()
  const pair = (index: number, place: number) => {
    places.set(index, place)
    taken.add(place)
  }
  for (const keyOf of [idOf, JSON.stringify]) {
    const free = new Map<string, number[]>()
    for (const [place, item] of after.entries()) {
      const key = taken.has(place) ? undefined : keyOf(item)
      if (key !== undefined) free.set(key, [...(free.get(key) ?? []), place])
    }
    for (const [index, item] of before.entries()) {
      const place = places.has(index) ? undefined : free.get(keyOf(item) ?? '')?.shift()
      if (place !== undefined) pair(index, place)
    }
  }
  for (const [index, item] of before.entries()) {
    if (!places.has(index) && !taken.has(index) && isSameKind(item, after[index])) pair(index, index)
  }
  return places
}

function idOf(item: unknown): string | undefined {
  const id = isJsonObject(item) ? (item.id ?? undefined) : undefined
  return id === undefined ? undefined : JSON.stringify(id)
}

/** Whether two items may be the same one before and after: same component, and same `id` if any. */
function isSameKind(item: unknown, other: unknown): boolean {
  return (
    isJsonObject(item) &&
    isJsonObject(other) &&
    item[blockName] === other[blockName] &&
    idOf(item) === idOf(other)
  )
}
