import type { MediaFile } from '../../../../../../../client/client.ts'
import { kindOf } from '../../../content/files/file-kind.ts'
import { Thumbnail } from '../../../content/files/thumbnail/thumbnail.tsx'
import { t } from '../../../ground/i18n/translate.ts'
import { ImageTools } from './image-tools.tsx'
import classes from './preview.module.css'

/** A preview of the file, if browsers can show it. */
export function Preview({ file }: { readonly file: MediaFile }) {
  const { mimeType, url, originalName } = file
  switch (kindOf(mimeType)) {
    case 'images':
      return <ImageTools file={file} />
    case 'videos':
      return (
        // biome-ignore lint/a11y/useMediaCaption: the library keeps no captions; it shows what there is
        <video className={classes.video} src={url} controls preload="metadata" aria-label={originalName} />
      )
    case 'audio':
      return (
        // biome-ignore lint/a11y/useMediaCaption: the library keeps no captions; it shows what there is
        <audio className={classes.audio} src={url} controls preload="metadata" aria-label={originalName} />
      )
    case 'files':
      return (
        <a className={classes.document} href={url} target="_blank" rel="noopener">
          <span className={classes.icon}>
            <Thumbnail file={file} />
          </span>
          {t('media.open')}
        </a>
      )
  }
}
