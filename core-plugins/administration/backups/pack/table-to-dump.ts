import type { ColumnKind } from '../../../foundation/database/database.ts'

/** What a thread needs to read the rows of a table in the order of its key. */
export interface TableToDump {
  readonly name: string
  readonly section: 'config' | 'content' | 'media'
  /** The singular name of the content type to which the rows belong. */
  readonly type: string | null
  readonly columns: readonly { readonly name: string; readonly kind: ColumnKind; readonly length?: number }[]
  readonly key: readonly string[]
}
