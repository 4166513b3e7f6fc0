import { useMemo } from 'react'
import { useAccess } from '../../../ground/access/access.ts'
import type { UploadLimits } from './problems.ts'

/** What the service accepts at present, as far as its settings say it. */
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
