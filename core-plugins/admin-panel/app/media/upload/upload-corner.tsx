import { lazy, Suspense } from 'react'
import { useUploads } from './upload-list.ts'

const UploadTray = lazy(() => import('./upload-tray.tsx'))

/** Shows the uploads of this tab as soon as there are any. Once in the page, whatever the screen. */
export function UploadCorner() {
  if (useUploads().length === 0) return null
  return (
    <Suspense>
      <UploadTray />
    </Suspense>
  )
}
