import { numberText } from '../../../ground/i18n/number-text.ts'
import { t, writtenLocale } from '../../../ground/i18n/translate.ts'
import { Icon } from '../../../ground/kit/icon/icon.tsx'
import classes from './diff.module.css'

/** The old and the new value, for kinds of values that are not compared in parts. */
export function ValuePair({ before, after }: { readonly before: unknown; readonly after: unknown }) {
  return (
    <p className={classes.pair}>
      <Value value={before} tag="del" />
      <Icon name="arrow-right" size="s" />
      <Value value={after} tag="ins" />
    </p>
  )
}

function Value({ value, tag: Tag }: { readonly value: unknown; readonly tag: 'del' | 'ins' }) {
  if (value === null || value === undefined || value === '') {
    return <span className={classes.note}>{t('diff.empty')}</span>
  }
  return (
    <Tag dir="auto" className={Tag === 'ins' ? classes.added : classes.removed}>
      {textOf(value)}
    </Tag>
  )
}

const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d/

function textOf(value: unknown): string {
  if (value === true) return t('diff.yes')
  if (value === false) return t('diff.no')
  if (typeof value === 'number') return numberText(value)
  if (typeof value === 'string' && moment.test(value)) {
    return new Date(value).toLocaleString(writtenLocale(), { dateStyle: 'medium', timeStyle: 'short' })
  }
  return typeof value === 'string' ? value : JSON.stringify(value)
}
