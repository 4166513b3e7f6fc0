import { Suspense } from 'react'
import { useUploads } from '../../../content/files/upload/upload-list.ts'
import { lazyPart } from '../../../ground/lazy/lazy-part.ts'

const UploadTray = lazyPart(() => import('./upload-tray.tsx'))

/** Shows the uploads of this tab when there are any; mount it once per page. */
export function UploadCorner() {
  if (useUploads().length === 0) return null
  return (
    <Suspense>
      <UploadTray />
    </Suspense>
  )
}
