import type { SchemaChange } from '../../../../../../client/admin.ts'
import type { DescribedType } from '../../ground/api/content-types.ts'
import { t } from '../../ground/i18n/translate.ts'

export interface AppliedChange extends SchemaChange {
  /** The table with a copy of the removed data. */
  readonly backup?: string
}

export interface SyncAnswer {
  readonly applied: readonly AppliedChange[]
  readonly pending: readonly SchemaChange[]
}

export const databaseKey = 'database'

const named = [
  ...(['create-table', 'add-column', 'rename-column', 'drop-column', 'drop-table'] as const),
  ...(['convert-column', 'widen-column', 'fill-column', 'make-required', 'make-nullable'] as const),
  ...(['create-index', 'create-unique-index', 'drop-index', 'add-reference', 'drop-reference'] as const),
  ...(['convert-attribute', 'drop-attribute', 'drop-component'] as const),
  ...(['end-drafts', 'end-trash', 'change-primary-key'] as const),
]

/** The label of a change, if the panel has a text for it. */
export function changeName({ change }: SchemaChange): string {
  const known = named.find((name) => name === change)
  return known === undefined ? change : t(`operations.database.changes.${known}`)
}

export const placeOf = ({ table, column }: SchemaChange): string =>
  column === null ? table : `${table}.${column}`

/** The types for whose drafts or deleted entries the user has to decide. */
export function typesWaitingFor(
  ending: 'end-drafts' | 'end-trash',
  changes: readonly SchemaChange[],
  types: readonly DescribedType[],
): readonly DescribedType[] {
  const tables = changes.filter(({ change }) => change === ending).map(({ table }) => plain(table))
  return types.filter(({ name }) => tables.includes(plain(`content_${name}`)))
}

/** For comparing table names with type names, which are spelled differently. */
const plain = (name: string) => name.replace(/[-_]/g, '').toLowerCase()
