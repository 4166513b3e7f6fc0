import { Suspense } from 'react'
import { lazyPart } from '../../../ground/lazy/lazy-part.ts'
import type { MediaPickerProps } from './picker-props.ts'

export type { MediaPickerProps } from './picker-props.ts'

const PickerDialog = lazyPart(() => import('./picker-dialog.tsx'))

/** A dialog to choose files of the library, or to upload them first. Its code is loaded when it opens. */
export function MediaPicker(props: MediaPickerProps) {
  if (!props.isOpen) return null
  return (
    <Suspense>
      <PickerDialog {...props} />
    </Suspense>
  )
}
