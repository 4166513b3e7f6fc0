import { blockName, isJsonObject, type JsonMembers, type JsonShape } from '../../tables/json-shape.ts'

export type Item = Record<string, unknown>

/** A step towards objects in the values of a column: into a member, or to the blocks of one component. */
type Step = { readonly member: string } | { readonly component: string }

/** Where objects are within the values of a column; empty for the objects of the column itself. */
export type Place = readonly Step[]

/** A path for messages: `shared.quote.source`. */
export function pathOf(place: Place, name?: string): string {
  const names = place.map((step) => ('member' in step ? step.member : step.component))
  return [...names, ...(name === undefined ? [] : [name])].join('.')
}

/** Changes every object at a place, without copying. */
export function changeItems(value: unknown, [step, ...rest]: Place, change: (item: Item) => void): void {
  for (const item of Array.isArray(value) ? value : [value]) {
    if (!isJsonObject(item)) continue
    if (step === undefined) change(item)
    else if ('member' in step) changeItems(item[step.member], rest, change)
    else if (item[blockName] === step.component) changeItems(item, rest, change)
  }
}

/** Replaces the values that hold the objects at a place; for the column itself, the result is its new value. */
export function changeHolders(value: unknown, place: Place, change: (value: unknown) => unknown): unknown {
  const last = place.at(-1)
  if (last === undefined) return change(value)
  if ('component' in last) throw new Error('blocks of a component have no holder of their own')
  changeItems(value, place.slice(0, -1), (item) => {
    if (Object.hasOwn(item, last.member)) item[last.member] = change(item[last.member])
  })
  return value
}

/** The shape, with the members at a place changed. */
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

/** The shape, with the shape at a place changed. */
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
