import { Suspense } from 'react'
import { useUploads } from '../../../content/files/upload/upload-list.ts'
import { lazyPart } from '../../../ground/lazy/lazy-part.ts'

const UploadTray = lazyPart(() => import('./upload-tray.tsx'))

/** Shows the uploads of this tab as soon as there are any. Once in the page, whatever the screen. */
export function UploadCorner() {
  if (useUploads().length === 0) return null
  return (
    <Suspense>
      <UploadTray />
    </Suspense>
  )
}
