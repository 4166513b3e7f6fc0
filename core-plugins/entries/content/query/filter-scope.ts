import { columnOf, isInverse, isReference, type Schemas } from '../../../foundation/schemas/schemas.ts'
import type { ColumnField, EntryModel } from '../entry/entry-model.ts'
import { assertConverted } from '../entry/waiting-conversion.ts'
import type { FilteredField } from './filter-place.ts'

/** The thing whose fields filters name: entries of a type, or items of a component. */
export interface FilterScope {
  /** For messages. */
  readonly name: string
  /** Undefined for items of components. */
  readonly model?: EntryModel
  fieldNamed(name: string): FilteredField | undefined
}

export function entryScope(model: EntryModel): FilterScope {
  const { columns, links, inverses } = model
  return {
    name: model.type.name,
    model,
    fieldNamed(name) {
      const column = columns.get(name)
      if (column !== undefined) return { field: assertConverted(column) }
      const field = links.get(name) ?? inverses.get(name)
      return field && { field }
    },
  }
}

/** The place of items: the column of a field, and the keys inside its JSON. */
export interface ItemsPlace {
  readonly field: Pick<ColumnField, 'name' | 'column'>
  readonly keys: readonly string[]
}

/** The scope of a component's items. */
export function itemScope(
  uid: string,
  { field: { name: holder, column }, keys }: ItemsPlace,
  schemas: Pick<Schemas, 'components'>,
): FilterScope {
  const attributes = schemas.components.get(uid)?.attributes
  return {
    name: uid,
    fieldNamed(name) {
      const attribute = attributes?.get(name)
      if (attribute === undefined || attribute.private || isInverse(attribute)) return undefined
      const kind = isReference(attribute) ? 'reference' : (columnOf(attribute)?.kind ?? 'json')
      const field: ColumnField = { name: holder, column, kind, nullable: true, attribute }
      return { field, keys: [...keys, name] }
    },
  }
}
