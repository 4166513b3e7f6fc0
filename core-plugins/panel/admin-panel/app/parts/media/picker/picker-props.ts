import type { MediaFile } from '../../../../../../../client/client.ts'
import type { FileKind } from '../file-kind.ts'

export interface MediaPickerProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  /** The chosen files, in the order of choice; the picker has closed. */
  readonly onPick: (files: readonly MediaFile[]) => void
  /** False, the default: one file, and choosing it is enough. */
  readonly allowsMultiple?: boolean
  /** Kinds that may be chosen; empty or absent: all. */
  readonly allowedKinds?: readonly FileKind[]
  /** Where files that are uploaded in it go, and where it opens. */
  readonly folder?: number
}
