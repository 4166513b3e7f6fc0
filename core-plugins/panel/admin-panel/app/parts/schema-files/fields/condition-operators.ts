export const conditionOperators = ['eq', 'neq', 'in', 'notIn', 'exists', 'empty'] as const

/** Asks whether a field is set, and compares with nothing. */
export const isPresence = (operator: string): boolean => operator === 'exists' || operator === 'empty'

/** Compares with several values. */
export const takesList = (operator: string): boolean => operator === 'in' || operator === 'notIn'
