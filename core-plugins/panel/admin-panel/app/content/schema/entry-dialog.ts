import type { DescribedType } from '../../ground/api/content-types.ts'

/** What a dialog gets that does something with an entry, or with several. */
export interface EntryDialogProps {
  readonly type: DescribedType
  readonly ids: readonly number[]
  readonly onClose: () => void
}
