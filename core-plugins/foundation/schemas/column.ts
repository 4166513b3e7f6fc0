import type { ColumnSpec } from '../database/database.ts'
import { type Attribute, hasLinkTable, holdsComponents, isInverse, isReference } from './attribute.ts'
import { columnName } from './checks/names.ts'
import type { FieldColumn } from './field-type.ts'

/**
 * The column that stores an attribute's value: of kind `reference` for single relations and media, of kind
 * `json` for components and dynamic zones. Undefined for inverse sides, and for attributes stored in a link
 * table. Always nullable: a condition may waive `required`, and entries may be older than the attribute.
 */
export function columnOf(attribute: Attribute): ColumnSpec | undefined {
  const own = fieldColumnOf(attribute)
  if (own === undefined) return undefined
  const { column, renamedFrom } = attribute
  const { kind, length } = own
  const earlier = renamedFrom === undefined ? undefined : columnName(renamedFrom, kind === 'reference')
  return {
    name: column,
    kind,
    nullable: true,
    ...(length === undefined ? {} : { length }),
    ...(earlier === undefined ? {} : { renamedFrom: earlier }),
  }
}

function fieldColumnOf(attribute: Attribute): FieldColumn | undefined {
  if (isReference(attribute)) {
    return hasLinkTable(attribute) || isInverse(attribute) ? undefined : { kind: 'reference' }
  }
  if (holdsComponents(attribute)) return { kind: 'json' }
  return attribute.definition.column(attribute)
}
