export const conditionOperators = ['eq', 'neq', 'in', 'notIn', 'exists', 'empty'] as const

/** Whether the operator takes no value. */
export const isPresence = (operator: string): boolean => operator === 'exists' || operator === 'empty'

/** Whether the operator takes several values. */
export const takesList = (operator: string): boolean => operator === 'in' || operator === 'notIn'
