import { t } from '../../../ground/i18n/translate.ts'
import type { FilterField, OperandKind } from './fields.ts'
import { type Filter, type Operator, takesMany } from './filter.ts'

/** The first thing that a new filter of a field asks for. */
export function newFilter({ path, operand, operators }: FilterField): Filter {
  const [operator = 'notNull'] = operators
  return { path, operator, values: startValues(operand, operator) }
}

/** What is entered at first when an operator has been chosen. */
export function startValues(operand: OperandKind, operator: Operator): readonly string[] {
  if (operator === 'null' || operator === 'notNull') return []
  if (operator === 'between') return ['', '']
  if (takesMany(operator)) return []
  return [operand === 'flag' ? 'true' : '']
}

/** The words for an operator: days are before and after each other, numbers smaller and greater. */
export function operatorLabel(operator: Operator, operand: OperandKind): string {
  const isTime = operand === 'day' || operand === 'moment'
  if (isTime && (operator === 'gte' || operator === 'lt')) return t(`list.operator.time.${operator}`)
  return t(`list.operator.${operator}`)
}
