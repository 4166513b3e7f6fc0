import { t } from '../../../ground/i18n/translate.ts'
import type { FilterField, OperandKind } from './fields.ts'
import { type Filter, type Operator, takesMany } from './filter.ts'

/** The initial filter for a field: its first operator. */
export function newFilter({ path, operand, operators }: FilterField): Filter {
  const [operator = 'notNull'] = operators
  return { path, operator, values: startValues(operand, operator) }
}

/** The initial values after an operator is chosen. */
export function startValues(operand: OperandKind, operator: Operator): readonly string[] {
  if (operator === 'null' || operator === 'notNull') return []
  if (operator === 'between') return ['', '']
  if (takesMany(operator)) return []
  return [operand === 'flag' ? 'true' : '']
}

/** The label of an operator: before and after for dates, smaller and greater for numbers. */
export function operatorLabel(operator: Operator, operand: OperandKind): string {
  const isTime = operand === 'day' || operand === 'moment'
  if (isTime && (operator === 'gte' || operator === 'lt')) return t(`list.operator.time.${operator}`)
  return t(`list.operator.${operator}`)
}
