import { Suspense, useState } from 'react'
import { useSearchParams } from 'wouter'
import type { Release } from '../../../../../../client/admin.ts'
import { errorText } from '../../ground/i18n/problem-text.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Button } from '../../ground/kit/button/button.tsx'
import { EmptyState } from '../../ground/kit/empty-state/empty-state.tsx'
import { Link } from '../../ground/kit/link/link.tsx'
import { Skeleton } from '../../ground/kit/loading/loading.tsx'
import { Page } from '../../ground/kit/page/page.tsx'
import { Tabs } from '../../ground/kit/tabs/tabs.tsx'
import { lazyPart } from '../../ground/lazy/lazy-part.ts'
import { ReleaseBadge, ReleaseTime } from './release-state.tsx'
import classes from './releases.module.css'
import { useReleasePages } from './use-releases.ts'

const ReleaseDialog = lazyPart(() => import('./release-dialog.tsx'))

const tabs = ['open', 'published'] as const

/** The open and the published releases. */
export function ReleaseList() {
  const [search, setSearch] = useSearchParams()
  const [isCreating, setCreating] = useState(false)
  const shown = search.get('status') === 'published' ? 'published' : 'open'
  const create = (
    <Button look="primary" icon="plus" onPress={() => setCreating(true)}>
      {t('releases.new')}
    </Button>
  )
  return (
    <Page title={t('releases.title')} width="text" actions={create}>
      <Tabs
        label={t('releases.title')}
        selected={shown}
        onSelect={(status) => setSearch(status === 'open' ? {} : { status }, { replace: true })}
        items={tabs.map((status) => ({
          id: status,
          label: t(`releases.tab.${status}`),
          content: <Listed status={status} />,
        }))}
      />
      {isCreating && (
        <Suspense fallback={null}>
          <ReleaseDialog onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </Page>
  )
}

function Listed({ status }: { readonly status: (typeof tabs)[number] }) {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useReleasePages(status)
  if (error !== null) return <EmptyState icon="triangle-alert" title={errorText(error)} />
  if (data === undefined) return <Skeleton lines={6} />
  const releases = data.pages.flatMap((page) => page.data)
  if (releases.length === 0) {
    return (
      <EmptyState icon="package" title={t(`releases.empty.${status}`)}>
        {status === 'open' && <p>{t('releases.emptyText')}</p>}
      </EmptyState>
    )
  }
  return (
    <>
      <ul className={classes.list}>
        {releases.map((release) => (
          <ListedRelease key={release.id} release={release} />
        ))}
      </ul>
      {hasNextPage && (
        <Button size="s" isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
          {t('releases.more')}
        </Button>
      )}
    </>
  )
}

function ListedRelease({ release }: { readonly release: Release }) {
  return (
    <li className={classes.listed}>
      <Link to={`/releases/${release.id}`} className={classes.name}>
        {release.name}
      </Link>
      <ReleaseBadge status={release.status} />
      <span className={classes.quiet}>{t('releases.count', { count: release.entryCount })}</span>
      <ReleaseTime release={release} />
    </li>
  )
}
