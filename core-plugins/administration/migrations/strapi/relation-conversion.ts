import type { StrapiAttribute, StrapiSchema } from './export-rows.ts'

/** What relations need to know about the types that are migrated. */
export interface Targets {
  /** The name here of a type that is migrated; undefined for other types. */
  nameOf(uid: string): string | undefined
  schemaOf(uid: string): StrapiSchema | undefined
  /** The name here of an attribute. */
  attributeName(uid: string, attribute: string): string
}

export interface ConvertedRelation {
  readonly attribute: Readonly<Record<string, unknown>>
  readonly isMany: boolean
  /** Whether the other side stores the links. */
  readonly isInverse: boolean
}

export const userUid = 'plugin::users-permissions.user'

/** Returns a text with the reason if the relation cannot be converted. */
export function convertRelation(
  owner: StrapiSchema,
  name: string,
  attribute: StrapiAttribute,
  targets: Targets,
): ConvertedRelation | string {
  const relation = String(attribute.relation)
  const target = String(attribute.target)
  if (relation.startsWith('morph'))
    return 'is a relation to entries of several types, which there is none of here'
  const ours = target === userUid ? 'user' : targets.nameOf(target)
  if (ours === undefined) return `leads to ${target}, which is not brought in`
  const other = otherSide(owner, name, attribute, targets)
  if (owner.modelType === 'component' || other === undefined)
    return oneWay(relation, ours, attribute.mappedBy)
  const isInverse = typeof attribute.mappedBy === 'string'
  const isMany = relation === 'oneToMany' || relation === 'manyToMany'
  const side = isInverse ? 'mappedBy' : 'inversedBy'
  return {
    attribute: { type: 'relation', relation, target: ours, [side]: targets.attributeName(target, other) },
    isMany,
    isInverse,
  }
}

/**
 * Converts a relation without an inverse side. Strapi then lets several entries refer to the same target, whatever the
 * relation's kind.
 */
function oneWay(relation: string, target: string, mappedBy: unknown): ConvertedRelation | string {
  if (typeof mappedBy === 'string') return 'is the other side of a relation that is not brought in'
  const isMany = relation === 'oneToMany' || relation === 'manyToMany'
  const ours = isMany ? 'manyToMany' : 'manyToOne'
  return { attribute: { type: 'relation', relation: ours, target }, isMany, isInverse: false }
}

/** The attribute of the other side, if both sides name each other and are migrated. */
function otherSide(
  owner: StrapiSchema,
  name: string,
  { inversedBy, mappedBy, target }: StrapiAttribute,
  targets: Targets,
): string | undefined {
  const other = inversedBy ?? mappedBy
  if (typeof other !== 'string' || targets.nameOf(String(target)) === undefined) return undefined
  const attribute = targets.schemaOf(String(target))?.attributes[other]
  if (attribute?.type !== 'relation' || attribute.target !== owner.uid) return undefined
  return attribute.mappedBy === name || attribute.inversedBy === name ? other : undefined
}
