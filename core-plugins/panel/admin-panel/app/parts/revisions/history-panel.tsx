import { Suspense, useState } from 'react'
import { RefusalNote } from '../../content/entry/side/publication/problem-list.tsx'
import type { SavedEntry } from '../../content/entry/side/publication/publication-requests.ts'
import { useSavedEntry } from '../../content/entry/side/publication/use-saved-entry.ts'
import { momentText } from '../../ground/i18n/moment-text.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Button } from '../../ground/kit/button/button.tsx'
import { Skeleton } from '../../ground/kit/loading/loading.tsx'
import { lazyPart } from '../../ground/lazy/lazy-part.ts'
import classes from './history.module.css'
import { actionText, authorText } from './revision-text.ts'
import { type RevisionSummary, useRevisions } from './use-revisions.ts'

const CompareDialog = lazyPart(() => import('./compare-dialog.tsx'))

/** The revisions of the entry; each can be compared and restored. */
export default function HistoryPanel() {
  const entry = useSavedEntry()
  return entry === undefined ? null : <History entry={entry} />
}

function History({ entry }: { readonly entry: SavedEntry }) {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useRevisions(entry)
  const [compared, setCompared] = useState<number>()
  if (error !== null) return <RefusalNote error={error} />
  if (data === undefined) return <Skeleton lines={5} />
  const revisions = data.pages.flatMap((page) => page.data)
  if (revisions.length === 0) return <p className={classes.quiet}>{t('history.none')}</p>
  return (
    <div className={classes.panel}>
      <ol className={classes.list}>
        {revisions.map((revision, index) => (
          <Item
            key={revision.id}
            revision={revision}
            isNewest={index === 0}
            onCompare={() => setCompared(revision.id)}
          />
        ))}
      </ol>
      {hasNextPage && (
        <Button size="s" isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
          {t('history.more')}
        </Button>
      )}
      {compared !== undefined && (
        <Suspense fallback={null}>
          <CompareDialog
            entry={entry}
            revisions={revisions}
            first={compared}
            onClose={() => setCompared(undefined)}
          />
        </Suspense>
      )}
    </div>
  )
}

interface ItemProps {
  readonly revision: RevisionSummary
  readonly isNewest: boolean
  readonly onCompare: () => void
}

function Item({ revision, isNewest, onCompare }: ItemProps) {
  const { action, version, created_at: at } = revision
  return (
    <li className={classes.item}>
      <div className={classes.what}>
        <span className={classes.action}>{actionText(action)}</span>
        <span className={classes.quiet}>
          <time dateTime={at}>{momentText(at)}</time> · {authorText(revision)}
        </span>
      </div>
      {isNewest ? (
        <span className={classes.quiet}>{t('history.current')}</span>
      ) : (
        <Button size="s" aria-label={t('history.compareVersion', { version })} onPress={onCompare}>
          {t('history.compare')}
        </Button>
      )}
    </li>
  )
}
