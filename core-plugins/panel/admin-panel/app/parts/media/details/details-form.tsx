import type { FormEvent } from 'react'
import { MortiseError } from '../../../../../../../client/client.ts'
import { kindOf } from '../../../content/files/file-kind.ts'
import { useAccess } from '../../../ground/access/access.ts'
import { errorText, problemText } from '../../../ground/i18n/problem-text.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Badge } from '../../../ground/kit/badge/badge.tsx'
import { Button } from '../../../ground/kit/button/button.tsx'
import { TextArea, TextField } from '../../../ground/kit/field/text-field.tsx'
import { Link } from '../../../ground/kit/link/link.tsx'
import { FolderSelect } from '../folders/folder-select.tsx'
import { type FileVersion, useFolderTree } from '../media-queries.ts'
import { addressOf, initialView } from '../media-view.ts'
import { Contested } from './contested.tsx'
import classes from './details-form.module.css'
import { useWords } from './use-words.ts'

/** Edits alternative text, caption, tags and folder. Only changed values are sent, so that other users' changes stay. */
export function DetailsForm({ version }: { readonly version: FileVersion }) {
  const { file } = version
  const tree = useFolderTree() ?? []
  const mayWrite = useAccess().mayMedia('write')
  const { words, edit, isChanged, saving, contested, takeTheirs } = useWords(version)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isChanged) saving.mutate()
  }
  return (
    <form className={classes.form} onSubmit={submit}>
      <TextArea
        label={t('media.alt')}
        {...(kindOf(file.mimeType) === 'images' ? { help: t('media.altHelp') } : {})}
        value={words.alt}
        onChange={(alt) => edit({ alt })}
        readOnly={!mayWrite}
        problem={problemAt(saving.error, 'alt')}
      />
      <TextArea
        label={t('media.caption')}
        value={words.caption}
        onChange={(caption) => edit({ caption })}
        readOnly={!mayWrite}
        problem={problemAt(saving.error, 'caption')}
      />
      <TextField
        label={t('media.tags')}
        help={mayWrite ? t('media.tagsHelp') : undefined}
        value={words.tags}
        onChange={(tags) => edit({ tags })}
        readOnly={!mayWrite}
        problem={problemAt(saving.error, 'tags')}
      />
      {file.tags !== null && <TagLinks tags={file.tags} />}
      <FolderSelect
        label={t('media.folder')}
        tree={tree}
        value={words.folder}
        onChange={(folder) => edit({ folder })}
        isDisabled={!mayWrite}
      />
      {contested !== undefined && <Contested {...{ contested, tree }} onTake={() => void takeTheirs()} />}
      {mayWrite && (
        <div className={classes.actions}>
          <Button look="primary" type="submit" isDisabled={!isChanged} isPending={saving.isPending}>
            {t('media.save')}
          </Button>
          {isChanged && <Badge tone="warning">{t('media.unsaved')}</Badge>}
          {saving.error !== null && contested === undefined && (
            <p className={classes.problem} role="alert">
              {errorText(saving.error)}
            </p>
          )}
        </div>
      )}
    </form>
  )
}

/** Tags, each linking to all files with it. */
function TagLinks({ tags }: { readonly tags: string }) {
  return (
    <ul className={classes.tags} aria-label={t('media.tags')}>
      {tags.split(', ').map((tag) => (
        <li key={tag}>
          <Link to={addressOf({ ...initialView, tag })}>{tag}</Link>
        </li>
      ))}
    </ul>
  )
}

function problemAt(error: Error | null, path: string): string | undefined {
  const detail = error instanceof MortiseError ? error.details.find((each) => each.path === path) : undefined
  return detail && problemText(detail)
}
