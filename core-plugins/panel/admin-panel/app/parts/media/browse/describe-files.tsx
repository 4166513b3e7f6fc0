import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type MediaFile, MortiseError } from '../../../../../../../client/client.ts'
import { refreshMedia } from '../../../content/files/refresh-media.ts'
import { Thumbnail } from '../../../content/files/thumbnail/thumbnail.tsx'
import { api } from '../../../ground/api/client.ts'
import { errorText } from '../../../ground/i18n/problem-text.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Confirm } from '../../../ground/kit/dialog/dialog.tsx'
import { TextField } from '../../../ground/kit/field/text-field.tsx'
import { toast } from '../../../ground/kit/toast/toast.tsx'
import classes from './describe-files.module.css'

export interface DescribeFilesProps {
  readonly files: readonly MediaFile[]
  readonly onClose: () => void
  readonly onDone: () => void
}

/** The maximum number of files per request. */
export const maxDescribed = 200

/** Edits the alternative texts of many files, and adds tags to all of them. */
export function DescribeFiles({ files, onClose, onDone }: DescribeFilesProps) {
  const [alts, setAlts] = useState<ReadonlyMap<number, string>>(new Map())
  const [tags, setTags] = useState('')
  const changes = changesOf(files, alts, tags)
  const saving = useMutation({
    mutationFn: () => api.media.updateMany(changes),
    onSuccess: async () => {
      onDone()
      toast('success', t('media.described', { count: changes.length }))
      await refreshMedia()
    },
  })
  return (
    <Confirm
      title={t('media.describeTitle', { count: files.length })}
      isOpen
      onClose={onClose}
      isUnsaved={changes.length > 0}
      size="m"
      action={t('media.save')}
      isDisabled={changes.length === 0}
      isPending={saving.isPending}
      onConfirm={() => saving.mutate()}
    >
      <div className={classes.content}>
        <TextField label={t('media.addTags')} help={t('media.tagsHelp')} value={tags} onChange={setTags} />
        <ul className={classes.files}>
          {files.map((file) => (
            <li key={file.id} className={classes.file}>
              <span className={classes.picture}>
                <Thumbnail file={file} fit="cover" isSmall />
              </span>
              <TextField
                label={t('media.altOf', { name: file.originalName })}
                value={alts.get(file.id) ?? file.alt ?? ''}
                onChange={(alt) => setAlts(new Map(alts).set(file.id, alt))}
                problem={problemOf(
                  saving.error,
                  changes.findIndex(({ id }) => id === file.id),
                )}
              />
            </li>
          ))}
        </ul>
        {saving.error !== null && (
          <p className={classes.problem} role="alert">
            {errorText(saving.error)}
          </p>
        )}
      </div>
    </Confirm>
  )
}

function changesOf(files: readonly MediaFile[], alts: ReadonlyMap<number, string>, added: string) {
  return files.flatMap((file) => {
    const alt = alts.get(file.id)?.trim()
    const isChanged = alt !== undefined && alt !== (file.alt ?? '')
    if (!isChanged && added.trim() === '') return []
    return [
      {
        id: file.id,
        ...(isChanged ? { alt: alt || null } : {}),
        // The service removes duplicate tags.
        ...(added.trim() === '' ? {} : { tags: [file.tags ?? '', added].join(',') }),
      },
    ]
  })
}

function problemOf(error: Error | null, index: number): string | undefined {
  if (!(error instanceof MortiseError)) return undefined
  return error.details.find(({ path }) => path.startsWith(`files[${index}].`))?.message
}
