import { useSyncExternalStore } from 'react'
import { t } from '../../../ground/i18n/translate.ts'
import { Icon } from '../../../ground/kit/icon/icon.tsx'
import { VisuallyHidden } from '../../../ground/kit/visually-hidden/visually-hidden.tsx'
import { isWithin, type ValuePath } from '../../schema/value-path.ts'
import { useEntrySession } from '../entry-session.ts'
import classes from './problem-mark.module.css'

/** The number of problems inside a collapsed part of the form; nothing if there are none. */
export function ProblemMark({ within }: { readonly within: readonly ValuePath[] }) {
  const { store } = useEntrySession()
  const count = useSyncExternalStore(
    store.subscribeToState,
    () => store.state().problems.filter(({ path }) => within.some((outer) => isWithin(path, outer))).length,
  )
  if (count === 0) return null
  return (
    <span className={classes.mark}>
      <Icon name="circle-alert" size="s" />
      <span aria-hidden>{count}</span>
      <VisuallyHidden>{t('entry.problemsInside', { count })}</VisuallyHidden>
    </span>
  )
}
