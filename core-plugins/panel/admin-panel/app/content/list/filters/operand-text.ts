import { numberText } from '../../../ground/i18n/number-text.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { formatDay, formatMoment } from '../cells/format.ts'
import type { FilterField } from './fields.ts'
import type { Filter } from './filter.ts'

/** The operand of a filter as readable text. */
export function operandText(
  { values, operator }: Filter,
  field: FilterField | undefined,
  titles: ReadonlyMap<number, string> | undefined,
): string {
  const texts = values.map((value) => valueText(value, field, titles))
  return operator === 'between' ? texts.join(' – ') : texts.join(', ')
}

function valueText(
  value: string,
  field: FilterField | undefined,
  titles: ReadonlyMap<number, string> | undefined,
) {
  switch (field?.operand) {
    case 'day':
      return formatDay(value)
    case 'moment':
      return formatMoment(value)
    case 'flag':
      return value === 'true' ? t('list.yes') : t('list.no')
    case 'choice':
      return field.options?.find((option) => option.value === value)?.label ?? value
    case 'entry':
    case 'person':
      return titles?.get(Number(value)) ?? `#${value}`
    case 'number':
      return numberText(value)
    default:
      return value
  }
}
