import { type Attribute, isInverse, isList, type Schemas } from '../schemas/schemas.ts'

/**
 * Adds missing attributes, in place, to the components in the value of a field: components stored before an
 * attribute was declared lack it. The added value is null or an empty array, as in entries.
 */
export type Completion = (value: unknown) => void

type Item = Record<string, unknown>
type ItemCompletion = (item: Item) => void

/** Compiles completions, one per component; undefined for attributes that contain no components. */
export function createCompletions(schemas: Schemas): (attribute: Attribute) => Completion | undefined {
  const byUid = new Map<string, ItemCompletion>()

  function ofComponent(uid: string): ItemCompletion {
    const known = byUid.get(uid)
    if (known !== undefined) return known
    const members: { name: string; isList: boolean }[] = []
    const holders: { name: string; complete: Completion }[] = []
    const completeItem: ItemCompletion = (item) => {
      for (const { name, isList } of members) {
        if (!Object.hasOwn(item, name)) item[name] = isList ? [] : null
      }
      for (const { name, complete } of holders) complete(item[name])
    }
    // Registered before its members are compiled, because a component may contain itself.
    byUid.set(uid, completeItem)
    for (const attribute of schemas.components.get(uid)?.attributes.values() ?? []) {
      if (attribute.private || isInverse(attribute)) continue
      const { name } = attribute
      members.push({ name, isList: isList(attribute) })
      const complete = completionOf(attribute)
      if (complete !== undefined) holders.push({ name, complete })
    }
    return completeItem
  }

  function completionOf(attribute: Attribute): Completion | undefined {
    if (attribute.type === 'component') return onItems(ofComponent(attribute.component))
    if (attribute.type !== 'dynamicZone') return undefined
    const blocks = new Map<unknown, ItemCompletion>(
      attribute.components.map((uid) => [uid, ofComponent(uid)]),
    )
    return onItems((block) => blocks.get(block.__component)?.(block))
  }

  return completionOf
}

function onItems(completeItem: ItemCompletion): Completion {
  const completeOne = (item: unknown) => {
    if (typeof item === 'object' && item !== null) completeItem(item as Item)
  }
  return (value) => {
    if (Array.isArray(value)) for (const item of value) completeOne(item)
    else completeOne(value)
  }
}
