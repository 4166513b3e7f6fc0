import { createReferencePlaces, type Entry, type PendingDraft } from '../../entries/content/content.ts'
import { shortenField } from '../../entries/usage-index/usage-index.ts'
import type { Attribute, ContentType, RelationAttribute, Schemas } from '../../foundation/schemas/schemas.ts'
import type { UsageRow } from './tables.ts'

export type Usage = Pick<UsageRow, 'field' | 'isDraft' | 'target' | 'targetId'>

/** The entries of a type to be replaced, each with its heir; undefined removes the reference. */
export interface Replacements {
  readonly target: string
  readonly heirs: ReadonlyMap<number, number | undefined>
}

/** Finds the references that the index keeps. */
export interface UsagePlaces {
  /** The fields of a type that may contain references; empty if its entries cannot have any. */
  fieldsOf(type: ContentType): readonly Attribute[]
  /** The types that may refer to a type. */
  leadingTo(target: string): readonly ContentType[]
  /** Each place once, in an entry and its pending draft. */
  of(type: ContentType, entry: Entry, draft: PendingDraft | undefined): Usage[]
  /** The fields of an entry that change when ids of a type are replaced, with their new values. */
  moved(type: ContentType, entry: Entry, replacements: Replacements): Record<string, unknown>
}

export function createUsagePlaces(schemas: Schemas): UsagePlaces {
  const isRelation = (attribute: Attribute): attribute is RelationAttribute =>
    attribute.type === 'relation' && attribute.side === 'owning' && schemas.types.has(attribute.target)
  const places = createReferencePlaces(schemas, isRelation)

  const keepsSome = (type: ContentType) =>
    type.options.draftOverlay
      ? places.fieldsOf(type).length > 0
      : places.fieldsOf(type).some((attribute) => !isRelation(attribute))
  const types = new Set([...schemas.types.values()].filter(keepsSome))

  const leadsTo = (target: string) =>
    createReferencePlaces(
      schemas,
      (attribute): attribute is RelationAttribute => isRelation(attribute) && attribute.target === target,
    )

  const usagesIn = (type: ContentType, values: Entry | PendingDraft['values'], isDraft: boolean) =>
    places.placesIn(type, values).flatMap(({ id, field, attribute }): Usage[] => {
      // The entry's own relations have foreign keys; its draft is JSON.
      const isKept = isDraft || field.includes('.')
      if (!isKept || attribute.type !== 'relation') return []
      return [{ field: shortenField(field), isDraft, target: attribute.target, targetId: id }]
    })

  return {
    fieldsOf: (type) => (types.has(type) ? places.fieldsOf(type) : []),
    leadingTo(target) {
      const leading = leadsTo(target)
      return [...types].filter((type) => leading.fieldsOf(type).length > 0)
    },
    of(type, entry, draft) {
      const found = usagesIn(type, entry, false)
      if (draft !== undefined) found.push(...usagesIn(type, draft.values, true))
      return [...new Map(found.map((usage) => [keyOf(usage), usage])).values()]
    },
    moved: (type, entry, { target, heirs }) =>
      places.replaced(places.fieldsOf(type), entry, (id, attribute) => {
        const heir = attribute.type === 'relation' && attribute.target === target ? heirs.get(id) : undefined
        if (heir === undefined) return id
        // Prevents an entry from referring to itself.
        return type.name === target && heir === entry.id ? undefined : heir
      }),
  }
}

/** Equal for equal usages. */
export function keyOf({ field, isDraft, target, targetId }: Usage): string {
  return `${target} ${targetId} ${isDraft} ${field}`
}
