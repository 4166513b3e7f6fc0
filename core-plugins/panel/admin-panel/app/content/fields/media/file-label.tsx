import type { MediaFile } from '../../../../../../../client/client.ts'
import { useAccess } from '../../../ground/access/access.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Icon } from '../../../ground/kit/icon/icon.tsx'
import { VisuallyHidden } from '../../../ground/kit/visually-hidden/visually-hidden.tsx'
import { Thumbnail } from '../../files/thumbnail/thumbnail.tsx'
import classes from './file-label.module.css'

export interface FileLabelProps {
  readonly id: number
  /** Undefined while loading, null if it does not exist. */
  readonly file: MediaFile | null | undefined
}

/** A file by its thumbnail, name and alternative text; the name links to its details in a new tab. */
export function FileLabel({ id, file }: FileLabelProps) {
  const hasLibrary = useAccess().mayMedia('read')
  if (!hasLibrary) return <span className={classes.missing}>#{id}</span>
  if (file === null) return <span className={classes.missing}>{t('mediaField.missing', { id })}</span>
  return (
    <>
      <span className={classes.picture}>{file !== undefined && <Thumbnail file={file} fit="cover" />}</span>
      <span className={classes.words}>
        <a className={classes.name} href={`/admin/media/${id}`} target="_blank" rel="noreferrer">
          {file?.originalName ?? `#${id}`}
          <Icon name="external-link" size="s" />
          <VisuallyHidden>{t('relation.inNewTab')}</VisuallyHidden>
        </a>
        {file?.mimeType.startsWith('image/') === true && (
          <span className={classes.alt}>{file.alt || t('mediaField.noAlt')}</span>
        )}
      </span>
    </>
  )
}
