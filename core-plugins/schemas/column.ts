import type { ColumnKind, ColumnSpec } from '../database/database.ts'
import { columnName } from './names.ts'
import type { Attribute, MediaAttribute, RelationAttribute } from './schemas.ts'

/** MySQL indexes at most 3072 bytes, four a character; longer strings are stored as text. */
export const maxIndexedCharacters = 768

/**
 * The column in which an attribute's value is kept: of kind `reference` for single relations and media, of
 * kind `json` for components and dynamic zones. Undefined for attributes without one: inverse sides, and
 * those whose values are in a link table. Always nullable: a condition may waive `required`, and entries may be
 * older than the attribute.
 */
export function columnOf(attribute: Attribute): ColumnSpec | undefined {
  const kind = columnKindOf(attribute)
  if (kind === undefined) return undefined
  const { column, renamedFrom } = attribute
  const earlier = renamedFrom === undefined ? undefined : columnName(renamedFrom, kind === 'reference')
  return {
    name: column,
    kind,
    nullable: true,
    ...(kind === 'string' ? { length: lengthOf(attribute) } : {}),
    ...(earlier === undefined ? {} : { renamedFrom: earlier }),
  }
}

/** True for attributes whose values are in a link table: owned to-many relations, media with `multiple`. */
export function hasLinkTable(attribute: Attribute): attribute is RelationAttribute | MediaAttribute {
  if (attribute.type === 'media') return attribute.multiple
  return attribute.type === 'relation' && attribute.many && attribute.side === 'owning'
}

function columnKindOf(attribute: Attribute): ColumnKind | undefined {
  switch (attribute.type) {
    case 'string':
    case 'email':
      return lengthOf(attribute) > maxIndexedCharacters ? 'text' : 'string'
    case 'text':
    case 'richtext':
      return 'text'
    case 'enum':
      return 'string'
    case 'component':
    case 'dynamicZone':
      return 'json'
    case 'media':
      return attribute.multiple ? undefined : 'reference'
    case 'relation':
      return attribute.many || attribute.side === 'inverse' ? undefined : 'reference'
    default:
      return attribute.type
  }
}

function lengthOf(attribute: Attribute): number {
  return ('maxLength' in attribute ? attribute.maxLength : undefined) ?? 255
}
