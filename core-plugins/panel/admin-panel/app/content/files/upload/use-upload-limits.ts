import { useMemo } from 'react'
import { useAccess } from '../../../ground/access/access.ts'
import type { UploadLimits } from './problems.ts'

/** The service's current limits for uploads, as far as its settings reveal them. */
export function useUploadLimits(): UploadLimits {
  const access = useAccess()
  const maxFileSize = access.setting('media.maxFileSize')
  const allowedTypes = access.setting('media.allowedTypes')
  return useMemo(
    () => ({
      maxFileSize: typeof maxFileSize === 'number' ? maxFileSize : Number.POSITIVE_INFINITY,
      allowedTypes: Array.isArray(allowedTypes) ? allowedTypes.map(String) : [],
    }),
    [maxFileSize, allowedTypes],
  )
}
