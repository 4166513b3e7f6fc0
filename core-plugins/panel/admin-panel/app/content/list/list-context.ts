import type { Access } from '../../ground/access/access.ts'
import type { DescribedType } from '../../ground/api/content-types.ts'
import type { ShownColumn } from './columns/shown-columns.ts'
import type { TypeColumn } from './columns/type-columns.ts'
import type { Entries } from './data/use-entries.ts'
import type { FilterField } from './filters/fields.ts'
import type { ListState } from './state/list-state.ts'
import type { ChangeList } from './state/use-list-state.ts'

/** A list, as its parts see it. */
export interface List {
  readonly type: DescribedType
  readonly types: readonly DescribedType[]
  readonly access: Access
  readonly state: ListState
  readonly change: ChangeList
  readonly columns: readonly ShownColumn[]
  readonly allColumns: readonly TypeColumn[]
  /** The fields by which it can be filtered. */
  readonly fields: readonly FilterField[]
  readonly entries: Entries
  /** Undefined until it is known. */
  readonly total: number | undefined
}
