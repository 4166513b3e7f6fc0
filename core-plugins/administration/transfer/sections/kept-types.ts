import {
  type Attribute,
  type ContentType,
  componentsOf,
  isInverse,
  isReference,
  type Schemas,
  targetNameOf,
} from '../../../foundation/schemas/schemas.ts'
import { hashOf } from '../../../foundation/sections/sections.ts'
import type { KeptHashesDeps, KeptType } from './kept-hashes.ts'

/** Types that entries refer to by name. The change log does not contain changes of these names. */
const named = ['user', 'role']

/** Undefined for a type whose hashes cannot be kept. `version` is that of Mortise, which determines how values are read. */
export function keptTypeOf(type: ContentType, schemas: Schemas, version: string): KeptType | undefined {
  const owners = ownersIn(type, schemas)
  const targets = targetsOf(owners)
  if (named.some((name) => targets.has(name))) return undefined
  const { options, kind, name } = type
  const attributes = owners.map((owner) => [...owner.values()].map(plain))
  return { name, form: hashOf({ version, kind, options, attributes }) }
}

/**
 * See `KeptHashesDeps`. When an entry is deleted for good, its references in columns and links are removed, which the log contains,
 * but not those in components and pending drafts. All references to an entry in the trash remain.
 */
export function dependentsIn(schemas: Schemas): KeptHashesDeps['dependents'] {
  const dependents = new Map<string, Set<string>>()
  for (const type of schemas.types.values()) {
    const [own = type.attributes, ...components] = ownersIn(type, schemas)
    const lasting = type.options.draftOverlay ? targetsOf([own, ...components]) : targetsOf(components)
    for (const target of targetsOf([own, ...components])) {
      const hasTrash = schemas.allTypes.get(target)?.options.softDelete === true
      if (!hasTrash && !lasting.has(target)) continue
      dependents.set(target, (dependents.get(target) ?? new Set()).add(type.name))
    }
  }
  return dependents
}

type Attributes = ContentType['attributes']

/** The attributes of a type, and of all components that its entries may hold at any depth. */
function ownersIn({ attributes }: ContentType, { components }: Schemas): readonly Attributes[] {
  const uids = new Set<string>()
  const collect = (owner: Attributes) => {
    for (const attribute of owner.values()) for (const uid of componentsOf(attribute)) uids.add(uid)
  }
  collect(attributes)
  // Iterating over a set includes the elements that are added meanwhile.
  for (const uid of uids) collect(components.get(uid)?.attributes ?? new Map())
  return [attributes, ...[...uids].sort().map((uid) => components.get(uid)?.attributes ?? new Map())]
}

function targetsOf(owners: readonly Attributes[]): ReadonlySet<string> {
  const references = owners.flatMap((owner) => [...owner.values()]).filter(isReference)
  return new Set(references.filter((reference) => !isInverse(reference)).map(targetNameOf))
}

/** The attribute as declared, without the code of its field type. */
function plain({ definition, ...declared }: Attribute): unknown {
  return declared
}
