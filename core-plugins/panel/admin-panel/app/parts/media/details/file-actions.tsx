import { useState } from 'react'
import { useLocation } from 'wouter'
import type { MediaFile } from '../../../../../../../client/client.ts'
import { useAccess } from '../../../ground/access/access.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Button } from '../../../ground/kit/button/button.tsx'
import { DeleteFiles } from '../browse/delete-files.tsx'
import { ReplaceButton } from './replace-button.tsx'
import { unsavedWords } from './unsaved-words.ts'

/** The actions on the file. */
export function FileActions({ file }: { readonly file: MediaFile }) {
  const access = useAccess()
  const [, navigate] = useLocation()
  const [isDeleting, setDeleting] = useState(false)
  return (
    <>
      {access.mayMedia('write') && <ReplaceButton file={file} />}
      {access.mayMedia('delete') && (
        <Button icon="trash-2" onPress={() => setDeleting(true)}>
          {t('media.delete')}
        </Button>
      )}
      {isDeleting && (
        <DeleteFiles
          files={[file]}
          onClose={() => setDeleting(false)}
          onDone={() => {
            unsavedWords.forget(file.id)
            navigate(file.folder === null ? '/media' : `/media?folder=${file.folder}`)
          }}
        />
      )}
    </>
  )
}
