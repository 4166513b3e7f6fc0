import { type ComponentType, Suspense } from 'react'
import type { MediaFile } from '../../../../../../client/client.ts'
import { useContributions } from '../../shell/panel-part.ts'
import type { FileKind } from './file-kind.ts'

export interface FilePickerProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  /** Called with the chosen files in order, after the picker has closed. */
  readonly onPick: (files: readonly MediaFile[]) => void
  /** If false (the default), choosing one file closes the picker. */
  readonly allowsMultiple?: boolean
  /** Kinds that may be chosen; empty or absent: all. */
  readonly allowedKinds?: readonly FileKind[]
  /** The folder in which the picker opens and to which it uploads. */
  readonly folder?: number
}

declare module '../../shell/panel-part.ts' {
  interface PanelPart {
    /** A file picker for existing and newly uploaded files; wrap it in `lazyPart`. */
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
