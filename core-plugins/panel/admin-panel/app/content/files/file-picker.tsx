import { type ComponentType, Suspense } from 'react'
import type { MediaFile } from '../../../../../../client/client.ts'
import { useContributions } from '../../shell/panel-part.ts'
import type { FileKind } from './file-kind.ts'

export interface FilePickerProps {
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

declare module '../../shell/panel-part.ts' {
  interface PanelPart {
    /** Where files are chosen, with those that are there and ones that are uploaded first; wrap it in `lazyPart`. */
    readonly filePickers?: readonly ComponentType<FilePickerProps>[]
  }
}

/** A dialog to choose files. Its code is loaded when it opens. */
export function FilePicker(props: FilePickerProps) {
  const [Picker] = useContributions('filePickers')
  if (!props.isOpen || Picker === undefined) return null
  return (
    <Suspense>
      <Picker {...props} />
    </Suspense>
  )
}
