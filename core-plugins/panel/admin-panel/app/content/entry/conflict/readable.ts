import { numberText } from '../../../ground/i18n/number-text.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { jsonText } from '../../schema/same-value.ts'
import { wordsOfHtml } from '../diff/rich-text.ts'

/** A value as readable text, for comparing versions. */
export function readable(value: unknown): string {
  if (value === undefined) return t('entry.removedItem')
  if (value === null || value === '') return t('entry.emptyValue')
  if (typeof value === 'boolean') return value ? t('entry.yes') : t('entry.no')
  if (typeof value === 'string') return /^\s*</.test(value) ? wordsOfHtml(value) : value
  return typeof value === 'number' ? numberText(value) : jsonText(value)
}
