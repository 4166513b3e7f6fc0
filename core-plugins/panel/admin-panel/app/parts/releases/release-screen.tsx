import { Suspense, useState } from 'react'
import type { WholeRelease } from '../../../../../../client/admin.ts'
import { refusalStatus } from '../../ground/api/refusal.ts'
import { errorText } from '../../ground/i18n/problem-text.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Button } from '../../ground/kit/button/button.tsx'
import { EmptyState } from '../../ground/kit/empty-state/empty-state.tsx'
import { Skeleton } from '../../ground/kit/loading/loading.tsx'
import { Page } from '../../ground/kit/page/page.tsx'
import { lazyPart } from '../../ground/lazy/lazy-part.ts'
import { NotFoundPage } from '../../shell/refusal-pages.tsx'
import { ReleaseActions } from './release-actions.tsx'
import { ReleaseEntries } from './release-entries.tsx'
import { ReleaseFindings } from './release-findings.tsx'
import { ReleaseBadge, ReleaseTime } from './release-state.tsx'
import classes from './releases.module.css'
import { usePublishableTypes, useRelease, useReleaseCheck } from './use-releases.ts'

const AddEntriesDialog = lazyPart(() => import('./add-entries-dialog.tsx'))

/** A release: its entries, problems and actions. */
export function ReleaseScreen({ id }: { readonly id: number }) {
  const { data, error, dataUpdatedAt } = useRelease(id)
  if (refusalStatus(error) === 404) return <NotFoundPage />
  if (data !== undefined) return <Shown release={data} readAt={dataUpdatedAt} />
  return (
    <Page title={t('releases.title')} width="text">
      {error === null ? (
        <Skeleton lines={8} />
      ) : (
        <EmptyState icon="triangle-alert" title={errorText(error)} />
      )}
    </Page>
  )
}

const isOpen = ({ status }: Pick<WholeRelease, 'status'>): boolean =>
  status !== 'published' && status !== 'publishing'

function Shown({ release, readAt }: { readonly release: WholeRelease; readonly readAt: number }) {
  const canChange = isOpen(release)
  const check = useReleaseCheck(release.id, readAt, canChange && release.entryCount > 0)
  const [isAdding, setAdding] = useState(false)
  const types = usePublishableTypes()
  return (
    <Page
      title={release.name}
      width="text"
      back={{ to: '/releases', label: t('releases.title') }}
      aside={<ReleaseBadge status={release.status} />}
      actions={canChange && <ReleaseActions release={release} check={check.data} />}
    >
      <p className={classes.facts}>
        <span className={classes.quiet}>{t('releases.count', { count: release.entryCount })}</span>
        <ReleaseTime release={release} />
      </p>
      {canChange && <ReleaseFindings release={release} check={check} />}
      <ReleaseEntries release={release} check={canChange ? check.data : undefined} />
      {release.hidden > 0 && (
        <p className={classes.quiet}>{t('releases.hidden', { count: release.hidden })}</p>
      )}
      {canChange && types.length > 0 && (
        <div>
          <Button icon="plus" onPress={() => setAdding(true)}>
            {t('releases.addEntries')}
          </Button>
        </div>
      )}
      {isAdding && (
        <Suspense fallback={null}>
          <AddEntriesDialog release={release} types={types} onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </Page>
  )
}
