import { t } from '../../i18n/translate.ts'
import classes from './loading.module.css'

/** An activity of unknown duration. */
export function Spinner() {
  return <span role="status" aria-label={t('kit.loading')} className={classes.spinner} />
}

/** A placeholder for lines that are loading, so that the layout does not jump. */
export function Skeleton({ lines = 3 }: { readonly lines?: number }) {
  return (
    <div role="status" aria-label={t('kit.loading')} className={classes.skeleton}>
      {Array.from({ length: lines }, (_, index) => `line-${index}`).map((key) => (
        <span key={key} className={classes.line} />
      ))}
    </div>
  )
}
