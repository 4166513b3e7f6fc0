import type { EntryColumns } from '../../entries/content/content.ts'
import type { ColumnSpec, IndexSpec } from '../../foundation/database/database.ts'
import { type ContentTable, type ContentType, uuidColumn } from '../../foundation/schemas/schemas.ts'

/*
 * Attribute names cannot start with an underscore, so these columns cannot clash with them.
 */

export const localeColumn = 'locale'
/** Equal for all versions of an entry. */
export const groupColumn = '_i18n_group'
/** The locale of a present entry, null for a deleted one; only for types with soft delete. */
const claimColumn = '_i18n_claim'
/** Null: never set. */
export const statusColumn = '_i18n_status'
export const notesColumn = '_i18n_notes'
export const statusAtColumn = '_i18n_status_at'

export const maxLocaleLength = 35
/** The length of a UUID. */
const groupLength = 36

/** Whether entries of the type have versions in several locales. */
export function isLocalized({ options, system }: ContentType): boolean {
  return options.i18n.enabled && !system
}

/** The column that makes a value unique per locale. */
export function uniqueLocaleColumn({ options }: ContentType): string {
  return options.softDelete ? claimColumn : localeColumn
}

function specsOf(type: ContentType): ColumnSpec[] {
  const locale = { kind: 'string', length: maxLocaleLength, nullable: true } as const
  return [
    { name: localeColumn, ...locale },
    { name: groupColumn, kind: 'string', length: groupLength, nullable: true },
    ...(type.options.softDelete ? [{ name: claimColumn, ...locale }] : []),
    { name: statusColumn, kind: 'string', length: 20, nullable: true },
    { name: notesColumn, kind: 'text', nullable: true },
    { name: statusAtColumn, kind: 'datetime', nullable: true },
  ]
}

export const localizedColumns: EntryColumns = (type) =>
  isLocalized(type)
    ? specsOf(type).map(({ name, kind }) => ({
        ...{ column: name, kind },
        field: localeColumn,
        isShown: name === localeColumn,
      }))
    : []

/** See docs/localisation.md: unique values are unique per locale, and an entry has one version in each. */
export const localizedTable: ContentTable = (type, table) => {
  if (!isLocalized(type)) return table
  return {
    ...table,
    columns: [...table.columns, ...specsOf(type)],
    indexes: [
      ...(table.indexes ?? []).map((index) => perLocale(index, type)),
      { columns: [groupColumn, uniqueLocaleColumn(type)], type: 'unique' },
      // For each language, translators look for outdated versions.
      { columns: [statusColumn, localeColumn], type: 'index' },
    ],
  }
}

function perLocale(index: IndexSpec, type: ContentType): IndexSpec {
  // An index in the order of a list includes the columns that filter it. Lists by id are mostly of one
  // locale.
  if (index.descending !== undefined) return { ...index, columns: [...index.columns, localeColumn] }
  if (index.columns[0] === 'id') return { ...index, columns: [localeColumn, ...index.columns] }
  // Each version has a UUID of its own, in every locale.
  if (index.type !== 'unique' || index.columns[0] === uuidColumn) return index
  const others = index.columns.filter((column) => column !== localeColumn)
  return { ...index, columns: [...others, uniqueLocaleColumn(type)] }
}
