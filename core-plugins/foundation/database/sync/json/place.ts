import { blockName, isJsonObject, type JsonMembers, type JsonShape } from '../../tables/json-shape.ts'

export type Item = Record<string, unknown>

/** A step towards objects in the values of a column: a member that holds them, or those blocks that are of a component. */
type Step = { readonly member: string } | { readonly component: string }

/** Where objects are in the values of a column; the objects of the column itself if empty. */
export type Place = readonly Step[]

/** For messages: `shared.quote.source`. */
export function pathOf(place: Place, name?: string): string {
  const names = place.map((step) => ('member' in step ? step.member : step.component))
  return [...names, ...(name === undefined ? [] : [name])].join('.')
}

/** Changes every object at a place, in place. */
export function changeItems(value: unknown, [step, ...rest]: Place, change: (item: Item) => void): void {
  for (const item of Array.isArray(value) ? value : [value]) {
    if (!isJsonObject(item)) continue
    if (step === undefined) change(item)
    else if ('member' in step) changeItems(item[step.member], rest, change)
    else if (item[blockName] === step.component) changeItems(item, rest, change)
  }
}

/** Replaces what holds objects at a place; where it is the column, what is returned is its value. */
export function changeHolders(value: unknown, place: Place, change: (value: unknown) => unknown): unknown {
  const last = place.at(-1)
  if (last === undefined) return change(value)
  if ('component' in last) throw new Error('blocks of a component have no holder of their own')
  changeItems(value, place.slice(0, -1), (item) => {
    if (Object.hasOwn(item, last.member)) item[last.member] = change(item[last.member])
  })
  return value
}

/** The shape with other members at a place. */
export function changeMembers(
  shape: JsonShape,
  [step, ...rest]: Place,
  change: (members: JsonMembers) => JsonMembers,
): JsonShape {
  if (step !== undefined && 'component' in step && shape.is === 'blocks') {
    const { [step.component]: members = {} } = shape.components
    const changed = changeInside(members, rest, change)
    return { ...shape, components: { ...shape.components, [step.component]: changed } }
  }
  return shape.is === 'items'
    ? { ...shape, members: changeInside(shape.members, step === undefined ? [] : [step, ...rest], change) }
    : shape
}

function changeInside(
  members: JsonMembers,
  [step, ...rest]: Place,
  change: (members: JsonMembers) => JsonMembers,
): JsonMembers {
  if (step === undefined) return change(members)
  if (!('member' in step)) return members
  const member = members[step.member]
  return member === undefined
    ? members
    : { ...members, [step.member]: { ...member, ...changeMembers(member, rest, change) } }
}

/** The shape of what holds objects at a place, changed. */
export function changeShape(
  shape: JsonShape,
  place: Place,
  change: (shape: JsonShape) => JsonShape,
): JsonShape {
  const last = place.at(-1)
  if (last === undefined) return change(shape)
  if ('component' in last) throw new Error('blocks of a component have no holder of their own')
  return changeMembers(shape, place.slice(0, -1), (members) => {
    const member = members[last.member]
    return member === undefined ? members : { ...members, [last.member]: { ...member, ...change(member) } }
  })
}
