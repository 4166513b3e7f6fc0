import { useSyncExternalStore } from 'react'
import { type TextKey, t } from '../ground/i18n/translate.ts'
import { Button } from '../ground/kit/button/button.tsx'
import { EmptyState } from '../ground/kit/empty-state/empty-state.tsx'
import { Icon } from '../ground/kit/icon/icon.tsx'
import { Skeleton } from '../ground/kit/loading/loading.tsx'
import { type MissingReason, missingParts, tryAgain } from '../ground/lazy/missing-parts.ts'
import classes from './missing-notice.module.css'

const useMissing = () => useSyncExternalStore(missingParts.subscribe, missingParts.get)

const texts: Readonly<Record<MissingReason, TextKey>> = {
  unreachable: 'shell.partUnreachable',
  upgraded: 'shell.partUpgraded',
  stuck: 'shell.partStuck',
}

/**
 * Shown over the page while a part of its code is missing; mount it once per page. It is also above dialogs, whose parts can be
 * missing too.
 */
export function MissingNotice() {
  const missing = useMissing()
  if (missing?.kinds.has('part') !== true) return null
  return (
    <div className={classes.notice} role="alert" data-react-aria-top-layer>
      <Icon name="wifi-off" />
      <div className={classes.words}>
        <p className={classes.title}>{t('shell.partMissing')}</p>
        <p className={classes.text}>{t(texts[missing.reason])}</p>
      </div>
      <Remedy reason={missing.reason} />
    </div>
  )
}

/** Shown in place of a screen that is loading or failed to load. */
export function ScreenPlaceholder() {
  const missing = useMissing()
  if (missing?.kinds.has('screen') !== true) return <Skeleton lines={6} />
  const { reason } = missing
  return (
    <div role="alert">
      <EmptyState icon="wifi-off" title={t('shell.screenMissing')} action={<Remedy reason={reason} />}>
        {t(texts[reason])}
      </EmptyState>
    </div>
  )
}

function Remedy({ reason }: { readonly reason: MissingReason }) {
  if (reason === 'unreachable') return <Button onPress={tryAgain}>{t('shell.tryAgain')}</Button>
  return <Button onPress={() => location.reload()}>{t('shell.reload')}</Button>
}
