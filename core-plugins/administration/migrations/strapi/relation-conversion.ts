import type { StrapiAttribute, StrapiSchema } from './export-rows.ts'

/** What of an export is brought in, as far as relations ask. */
export interface Targets {
  /** Our name of a type of Strapi that is brought in. */
  nameOf(uid: string): string | undefined
  schemaOf(uid: string): StrapiSchema | undefined
  /** Our name of an attribute. */
  attributeName(uid: string, attribute: string): string
}

export interface ConvertedRelation {
  readonly attribute: Readonly<Record<string, unknown>>
  readonly isMany: boolean
  /** The other side has the links. */
  readonly isInverse: boolean
}

export const userUid = 'plugin::users-permissions.user'

/** A text says why a relation cannot be brought in. */
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
 * A relation that is known on one side only. Strapi lets several entries lead to the same target then, whatever the relation is
 * called.
 */
function oneWay(relation: string, target: string, mappedBy: unknown): ConvertedRelation | string {
  if (typeof mappedBy === 'string') return 'is the other side of a relation that is not brought in'
  const isMany = relation === 'oneToMany' || relation === 'manyToMany'
  const ours = isMany ? 'manyToMany' : 'manyToOne'
  return { attribute: { type: 'relation', relation: ours, target }, isMany, isInverse: false }
}

/** The attribute over there, if both sides name one another and are brought in. */
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
