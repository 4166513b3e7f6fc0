import type { DescribedAttribute } from '../../../ground/api/content-types.ts'
import { t } from '../../../ground/i18n/translate.ts'

/** What a string may have unless its schema says otherwise; see docs/content-types.md. */
const defaultMaxLength = 255
/** The share from which on it is worth saying how much is left. */
const nearlyFull = 0.8

/** Help that counts once a text comes near its limit, and what to say when it exceeds that. */
export function textLength(value: unknown, attribute: DescribedAttribute, help: unknown) {
  const length = typeof value === 'string' ? [...value].length : 0
  const { minLength, maxLength = attribute.type === 'text' ? undefined : defaultMaxLength } = attribute
  const limit = typeof maxLength === 'number' ? maxLength : Number.POSITIVE_INFINITY
  const least = typeof minLength === 'number' && length < minLength
  const notes = [
    help,
    least ? t('entry.minLength', { min: minLength }) : undefined,
    length >= limit * nearlyFull ? t('entry.length', { length, max: limit }) : undefined,
  ]
  return {
    help: notes.filter((note) => note !== undefined).join(' · ') || undefined,
    tooLong: length > limit ? t('entry.tooLong', { count: length - limit }) : undefined,
  }
}
