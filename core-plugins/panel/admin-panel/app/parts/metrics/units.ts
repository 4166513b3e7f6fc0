import { formatBytes } from '../../ground/i18n/bytes-text.ts'
import { t, writtenLocale } from '../../ground/i18n/translate.ts'

/** A value that was not measured. */
const none = '–'

export const milliseconds = (ms: number | null): string =>
  ms === null ? none : t('operations.metrics.ms', { ms: Math.round(ms) })

export const bytes = (value: number | null): string => (value === null ? none : formatBytes(value))

export const percent = (part: number | null): string =>
  part === null
    ? none
    : new Intl.NumberFormat(writtenLocale(), { style: 'percent', maximumFractionDigits: 0 }).format(part)

/** The time of a minute. */
export const timeOf = (at: string): string =>
  new Date(at).toLocaleTimeString(writtenLocale(), { timeStyle: 'short' })
