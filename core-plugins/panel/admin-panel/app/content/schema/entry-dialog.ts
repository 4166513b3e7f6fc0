import type { DescribedType } from '../../ground/api/content-types.ts'

/** Props of a dialog for one or several entries. */
export interface EntryDialogProps {
  readonly type: DescribedType
  readonly ids: readonly number[]
  readonly onClose: () => void
}
