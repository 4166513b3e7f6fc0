import type { ReleaseCheck, WholeRelease } from '../../../../../../client/admin.ts'
import { useContentTypes } from '../../ground/api/content-types.ts'
import { errorText } from '../../ground/i18n/problem-text.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Icon } from '../../ground/kit/icon/icon.tsx'
import { Skeleton } from '../../ground/kit/loading/loading.tsx'
import classes from './releases.module.css'

export interface ReleaseFindingsProps {
  readonly release: WholeRelease
  readonly check: { readonly data: ReleaseCheck | undefined; readonly error: Error | null }
}

/** The problems that would stop a release; problems with single entries are shown at those entries. */
export function ReleaseFindings({ release, check }: ReleaseFindingsProps) {
  if (release.entryCount === 0) return null
  if (check.error !== null) return <Note tone="problem">{errorText(check.error)}</Note>
  if (check.data === undefined) return <Skeleton lines={1} />
  return (
    <section aria-label={t('releases.findings')} className={classes.findings}>
      {release.error !== null && (
        <Note tone="problem">{t('releases.failed', { reason: release.error.message })}</Note>
      )}
      <Stops release={release} check={check.data} />
    </section>
  )
}

function Stops({ release, check }: { readonly release: WholeRelease; readonly check: ReleaseCheck }) {
  const { problems, hidden, callerLacks, schedulerLacks, ready } = check
  const typeNames = useTypeNames()
  const isMine = release.mayPublish
  return (
    <>
      {problems.length > 0 && <Note tone="problem">{t('releases.stopped', { count: problems.length })}</Note>}
      {hidden.problems > 0 && (
        <Note tone="problem">{t('releases.hiddenStop', { count: hidden.problems })}</Note>
      )}
      {schedulerLacks.length > 0 && (
        <Note tone="problem">{t('releases.schedulerLacks', { types: typeNames(schedulerLacks) })}</Note>
      )}
      {ready && isMine && <Note tone="ready">{t('releases.ready')}</Note>}
      {!isMine && (
        <Note tone="quiet">
          {callerLacks.length > 0
            ? t('releases.callerLacks', { types: typeNames(callerLacks) })
            : t('releases.othersPublish')}
        </Note>
      )}
    </>
  )
}

/** The names of types, as lists have them. */
function useTypeNames() {
  const types = useContentTypes() ?? []
  return (names: readonly string[]) =>
    names.map((name) => types.find((type) => type.name === name)?.info.displayName ?? name).join(', ')
}

const icons = { problem: 'circle-alert', ready: 'circle-check', quiet: 'info' } as const

function Note({ tone, children }: { readonly tone: keyof typeof icons; readonly children: string }) {
  return (
    <p className={`${classes.note} ${classes[tone]}`}>
      <Icon name={icons[tone]} />
      <span>{children}</span>
    </p>
  )
}
