import type { ColumnKind } from '../../database/database.ts'

/** What a thread needs to know of a table to read its rows in the order of its key. */
export interface TableToDump {
  readonly name: string
  readonly section: 'config' | 'content' | 'media'
  /** The singular name of the content type whose entries the rows are. */
  readonly type: string | null
  readonly columns: readonly { readonly name: string; readonly kind: ColumnKind; readonly length?: number }[]
  readonly key: readonly string[]
}
