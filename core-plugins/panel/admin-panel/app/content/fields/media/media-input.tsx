import { useState } from 'react'
import { useAccess } from '../../../ground/access/access.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Button } from '../../../ground/kit/button/button.tsx'
import { FileDrop } from '../../../ground/kit/file-drop/file-drop.tsx'
import { toast } from '../../../ground/kit/toast/toast.tsx'
import { acceptedTypes, type FileKind, fileKindOf, fitsPatterns } from '../../files/file-kind.ts'
import { FilePicker } from '../../files/file-picker.tsx'
import { uploads } from '../../files/upload/uploads.ts'
import { useUploadLimits } from '../../files/upload/use-upload-limits.ts'
import { useFiles } from '../../files/use-files.ts'
import type { FieldInputProps } from '../../schema/field-kinds.ts'
import { ReferenceField } from '../references/reference-field.tsx'
import { useReferences } from '../references/use-references.ts'
import { FileLabel } from './file-label.tsx'

/** Files: chosen from the library, or uploaded by dropping, pasting or choosing them. */
export default function MediaInput({ path, attribute, frame }: FieldInputProps) {
  const references = useReferences(path, attribute.multiple === true)
  const { shown, isMany, add } = references
  const files = useFiles(shown)
  return (
    <ReferenceField
      frame={frame}
      references={references}
      nameOf={(id) => files.get(id)?.originalName}
      labelOf={(id) => <FileLabel id={id} file={files.get(id)} />}
    >
      <AddFiles kinds={kindsOf(attribute.allowedTypes)} isMany={isMany} onAdd={add} />
    </ReferenceField>
  )
}

/** The kinds of files that the field accepts; an empty list means all. */
function kindsOf(allowedTypes: unknown): readonly FileKind[] {
  if (!Array.isArray(allowedTypes)) return []
  return allowedTypes.flatMap((name) => fileKindOf(String(name)) ?? [])
}

interface AddFilesProps {
  readonly kinds: readonly FileKind[]
  readonly isMany: boolean
  readonly onAdd: (...ids: readonly number[]) => void
}

function AddFiles({ kinds, isMany, onAdd }: AddFilesProps) {
  const [isPicking, setPicking] = useState(false)
  const limits = useUploadLimits()
  const access = useAccess()
  const accepted = kinds.length === 0 ? [] : acceptedTypes(kinds)

  function upload(files: readonly File[]) {
    const fitting = files.filter(({ name, type }) => {
      const fits = fitsPatterns(type, accepted)
      if (!fits) toast('danger', t('mediaField.wrongKind', { name }))
      return fits
    })
    const wanted = isMany ? fitting : fitting.slice(0, 1)
    if (wanted.length > 0) uploads.add(wanted, { limits, onStored: ({ id }) => onAdd(id) })
  }

  const library = access.mayMedia('read') && (
    <Button icon="images" onPress={() => setPicking(true)}>
      {t('mediaField.fromLibrary')}
    </Button>
  )
  return (
    <>
      {access.mayMedia('write') ? (
        <FileDrop onFiles={upload} accepted={accepted} allowsMultiple={isMany} beside={library}>
          {t('mediaField.drop')}
        </FileDrop>
      ) : (
        library
      )}
      <FilePicker
        isOpen={isPicking}
        onClose={() => setPicking(false)}
        onPick={(files) => onAdd(...files.map(({ id }) => id))}
        allowsMultiple={isMany}
        allowedKinds={kinds}
      />
    </>
  )
}
