import { t } from '../../i18n/translate.ts'
import classes from './loading.module.css'

/** Something is being done, and how long that takes is not known. */
export function Spinner() {
  return <span role="status" aria-label={t('kit.loading')} className={classes.spinner} />
}

/** Keeps the place of lines that are being fetched, so that nothing jumps when they come. */
export function Skeleton({ lines = 3 }: { readonly lines?: number }) {
  return (
    <div role="status" aria-label={t('kit.loading')} className={classes.skeleton}>
      {Array.from({ length: lines }, (_, index) => `line-${index}`).map((key) => (
        <span key={key} className={classes.line} />
      ))}
    </div>
  )
}
