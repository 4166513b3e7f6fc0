import type { MediaFile } from '../../../../../../../../client/client.ts'
import { useAccess } from '../../../../ground/access/access.ts'
import { t } from '../../../../ground/i18n/translate.ts'
import { toast } from '../../../../ground/kit/toast/toast.tsx'
import { kindOf } from '../../../files/file-kind.ts'
import { uploads } from '../../../files/upload/uploads.ts'
import { useUploadLimits } from '../../../files/upload/use-upload-limits.ts'

/** Uploads pictures to the media library; other files are refused with a message. */
export function usePictureUpload(): (files: readonly File[], onStored: (file: MediaFile) => void) => void {
  const limits = useUploadLimits()
  const mayUpload = useAccess().mayMedia('write')
  return (files, onStored) => {
    if (!mayUpload) return toast('danger', t('richtext.mayNotUpload'))
    const pictures = files.filter(({ type }) => kindOf(type) === 'images')
    for (const { name } of files.filter((file) => !pictures.includes(file))) {
      toast('danger', t('mediaField.wrongKind', { name }))
    }
    if (pictures.length > 0) uploads.add(pictures, { limits, onStored })
  }
}
