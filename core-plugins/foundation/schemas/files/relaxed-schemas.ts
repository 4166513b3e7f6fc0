import { type Attribute, componentsOf } from '../attribute.ts'
import type { ComponentType, ContentType } from '../content-type.ts'
import type { Schemas } from '../schemas-service.ts'

const known = new WeakMap<Schemas, Schemas>()

/**
 * The schemas as drafts must comply with them, for descriptions of entries for clients: nothing is required in types
 * with `incompleteDrafts`, nor in their components. Equal to `schemas` if there are no such types.
 */
export function relaxedSchemas(schemas: Schemas): Schemas {
  const kept = known.get(schemas)
  if (kept !== undefined) return kept
  const made = relax(schemas)
  known.set(schemas, made)
  return made
}

function relax(schemas: Schemas): Schemas {
  const incomplete = [...schemas.types.values()].filter(({ options }) => options.incompleteDrafts)
  if (incomplete.length === 0) return schemas
  const names = new Set(incomplete.map(({ name }) => name))
  const uids = componentsIn(incomplete, schemas)
  const typesOf = (types: Schemas['types']) =>
    new Map([...types].map(([name, type]) => [name, names.has(name) ? relaxed(type) : type]))
  return {
    ...schemas,
    types: typesOf(schemas.types),
    allTypes: typesOf(schemas.allTypes),
    components: new Map(
      [...schemas.components].map(([uid, component]) => [
        uid,
        uids.has(uid) ? relaxed(component) : component,
      ]),
    ),
  }
}

/** The components that entries of the types may contain, at any depth. */
function componentsIn(types: readonly ContentType[], { components }: Schemas): ReadonlySet<string> {
  const found = new Set<string>()
  const follow = ({ attributes }: Pick<ContentType, 'attributes'>) => {
    for (const uid of [...attributes.values()].flatMap(componentsOf)) {
      const component = components.get(uid)
      if (component === undefined || found.has(uid)) continue
      found.add(uid)
      follow(component)
    }
  }
  for (const type of types) follow(type)
  return found
}

function relaxed<Owner extends ContentType | ComponentType>(owner: Owner): Owner {
  const attributes = [...owner.attributes].map(
    ([name, attribute]) => [name, withoutLeast(attribute)] as const,
  )
  return { ...owner, attributes: new Map(attributes) }
}

function withoutLeast(attribute: Attribute): Attribute {
  const {
    min: _min,
    minLength: _minLength,
    ...rest
  } = attribute as Attribute & {
    readonly min?: unknown
    readonly minLength?: unknown
  }
  return { ...rest, required: false } as Attribute
}
