import { useState } from 'react'
import { iconOf, isHardlyShown } from '../../../content/files/file-kind.ts'
import { isOnItsWay, type Upload, useUploads } from '../../../content/files/upload/upload-list.ts'
import { uploads } from '../../../content/files/upload/uploads.ts'
import { formatBytes } from '../../../ground/i18n/bytes-text.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Button, IconButton } from '../../../ground/kit/button/button.tsx'
import { Icon } from '../../../ground/kit/icon/icon.tsx'
import { Link } from '../../../ground/kit/link/link.tsx'
import classes from './upload-tray.module.css'

/** All uploads of this tab, in a corner of every screen. */
export default function UploadTray() {
  const all = useUploads()
  const [isFolded, setFolded] = useState(false)
  const busy = all.filter(isOnItsWay).length
  const failed = all.filter(({ state }) => state === 'failed').length
  return (
    <section className={classes.tray} aria-label={t('media.upload.tray')}>
      <header className={classes.header}>
        <p className={classes.title} role="status">
          {summaryOf(all)}
        </p>
        {failed > 0 && (
          <Button size="s" icon="refresh-cw" onPress={uploads.retryFailed}>
            {t('media.upload.retryAll')}
          </Button>
        )}
        <IconButton
          size="s"
          icon={isFolded ? 'chevron-up' : 'chevron-down'}
          label={isFolded ? t('media.upload.unfold') : t('media.upload.fold')}
          onPress={() => setFolded(!isFolded)}
        />
        {busy === 0 && (
          <IconButton size="s" icon="x" label={t('media.upload.clear')} onPress={uploads.clear} />
        )}
      </header>
      {!isFolded && (
        <ul className={classes.list}>
          {[...all].sort(byConcern).map((upload) => (
            <Row key={upload.id} upload={upload} />
          ))}
        </ul>
      )}
    </section>
  )
}

/** Uploads that need attention come first, finished ones last. */
const concerns: readonly Upload['state'][] = ['refused', 'failed', 'sending', 'waiting', 'stored']

const byConcern = (left: Upload, right: Upload) =>
  concerns.indexOf(left.state) - concerns.indexOf(right.state)

function summaryOf(all: readonly Upload[]): string {
  const busy = all.filter(isOnItsWay).length
  const stored = all.filter(({ state }) => state === 'stored').length
  const notStored = all.length - busy - stored
  if (busy > 0) return t('media.upload.progress', { done: all.length - busy, all: all.length })
  return notStored === 0
    ? t('media.upload.done', { count: stored })
    : t('media.upload.doneExcept', { count: stored, failed: notStored })
}

function Row({ upload }: { readonly upload: Upload }) {
  const { id, file, state, sentBytes, problem, stored } = upload
  return (
    <li className={classes.row}>
      <Icon name={stateIcons[state] ?? iconOf(file.type)} className={classes[state]} />
      <div className={classes.text}>
        {stored === undefined ? (
          <p className={classes.name}>{file.name}</p>
        ) : (
          <Link to={`/media/${stored.id}`} className={classes.name}>
            {file.name}
          </Link>
        )}
        {isOnItsWay(upload) && (
          <progress
            className={classes.progress}
            max={Math.max(1, file.size)}
            value={sentBytes}
            aria-label={t('media.upload.of', { name: file.name })}
          />
        )}
        {problem !== undefined && state !== 'stored' && !isOnItsWay(upload) && (
          <p className={classes.problem}>{problem}</p>
        )}
        {stored !== undefined && isHardlyShown(stored.mimeType) && (
          <p className={classes.notice}>{t('media.hardlyShown')}</p>
        )}
      </div>
      <span className={classes.size}>{formatBytes(file.size)}</span>
      {state === 'failed' && (
        <IconButton
          size="s"
          icon="refresh-cw"
          label={t('media.upload.retry', { name: file.name })}
          onPress={() => uploads.retry(id)}
        />
      )}
      {state !== 'stored' && (
        <IconButton
          size="s"
          icon="x"
          label={
            isOnItsWay(upload)
              ? t('media.upload.cancel', { name: file.name })
              : t('media.upload.forget', { name: file.name })
          }
          onPress={() => uploads.remove(id)}
        />
      )}
    </li>
  )
}

const stateIcons: Partial<Record<Upload['state'], string>> = {
  stored: 'circle-check',
  refused: 'ban',
  failed: 'circle-alert',
}
