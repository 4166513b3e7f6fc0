import type { DescribedAttribute } from '../../../ground/api/content-types.ts'
import { t } from '../../../ground/i18n/translate.ts'

/** The maximum length of a string unless its schema sets another; see docs/content-types.md. */
const defaultMaxLength = 255
/** The share of the maximum from which the remaining length is shown. */
const nearlyFull = 0.8

/** Help text with the remaining length near the limit, and the problem once the text exceeds it. */
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
