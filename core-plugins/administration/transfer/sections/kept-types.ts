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

/** Entries name accounts and roles by their names, whose changes the log of changes does not tell. */
const named = ['user', 'role']

/** Undefined for a type whose hashes cannot be kept. `version`: of Mortise, as it decides how values are read. */
export function keptTypeOf(type: ContentType, schemas: Schemas, version: string): KeptType | undefined {
  const owners = ownersIn(type, schemas)
  const targets = targetsOf(owners)
  if (named.some((name) => targets.has(name))) return undefined
  const { options, kind, name } = type
  const attributes = owners.map((owner) => [...owner.values()].map(plain))
  return { name, form: hashOf({ version, kind, options, attributes }) }
}

/**
 * See `KeptHashesDeps`. What is deleted for good is taken out of columns and links, which the log tells, but not out of components and
 * pending drafts; and what is in the trash is still referred to by all of them.
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
  // A set tells what is added to it while it is walked.
  for (const uid of uids) collect(components.get(uid)?.attributes ?? new Map())
  return [attributes, ...[...uids].sort().map((uid) => components.get(uid)?.attributes ?? new Map())]
}

function targetsOf(owners: readonly Attributes[]): ReadonlySet<string> {
  const references = owners.flatMap((owner) => [...owner.values()]).filter(isReference)
  return new Set(references.filter((reference) => !isInverse(reference)).map(targetNameOf))
}

/** As it is declared, without the code of its field type. */
function plain({ definition, ...declared }: Attribute): unknown {
  return declared
}
