import { nearest } from '../config/config.ts'
import { type AttributeOwner, type FileProblem, findAttribute } from './draft.ts'
import type { AttributeFile } from './file-attribute-schema.ts'
import { shorten } from './shape-message.ts'

/** Whether a condition asks something that another attribute can answer. Paths are from the attribute. */
export function checkCondition(owner: AttributeOwner, name: string, file: AttributeFile): FileProblem[] {
  const { condition } = file
  if (condition === undefined || owner.lost.has(condition.field)) return []
  const asked = findAttribute(owner, condition.field)
  if (condition.field === name) return [ownField()]
  if (asked === undefined) return [unknownField(owner, condition.field)]
  return checkValue(condition, asked)
}

type Condition = NonNullable<AttributeFile['condition']>

function checkValue({ field, operator, value }: Condition, asked: AttributeFile): FileProblem[] {
  if (operator === 'exists' || operator === 'empty') {
    return value === undefined || typeof value === 'boolean' ? [] : [badValue(value, 'true or false')]
  }
  if (isStructured(asked)) {
    const message = `${operator} cannot be asked of ${field}, which is no single value`
    return [{ at: 'condition.operator', message, remedy: 'use exists or empty' }]
  }
  if (operator === 'in' || operator === 'notIn') {
    if (!Array.isArray(value)) return [badValue(value, 'an array')]
    return value.filter((item) => !isPossible(item, asked)).map((item) => badValue(item, expected(asked)))
  }
  return isPossible(value, asked) ? [] : [badValue(value, expected(asked))]
}

function isStructured(file: AttributeFile): boolean {
  if (file.type === 'media') return file.multiple === true
  if (file.type === 'relation') return file.relation === 'oneToMany' || file.relation === 'manyToMany'
  return ['component', 'dynamicZone', 'json'].includes(file.type)
}

/** Whether the field can have the value at all. */
function isPossible(value: unknown, asked: AttributeFile): boolean {
  switch (asked.type) {
    case 'boolean':
      return typeof value === 'boolean'
    case 'enum':
      return typeof value === 'string' && asked.enum.includes(value)
    case 'integer':
    case 'relation':
    case 'media':
      return Number.isSafeInteger(value)
    case 'bigint':
    case 'decimal':
      return typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value))
    default:
      return typeof value === 'string'
  }
}

function expected(asked: AttributeFile): string {
  switch (asked.type) {
    case 'boolean':
      return 'true or false'
    case 'enum':
      return `one of ${asked.enum.join(', ')}`
    case 'relation':
    case 'media':
      return 'an id'
    case 'integer':
    case 'bigint':
    case 'decimal':
      return 'a number'
    default:
      return 'a text'
  }
}

function badValue(value: unknown, words: string): FileProblem {
  return { at: 'condition.value', message: `must be ${words}, not ${shorten(value)}`, remedy: 'correct it' }
}

function ownField(): FileProblem {
  const message = 'is the field itself, which cannot decide whether it is shown'
  return { at: 'condition.field', message, remedy: 'name another field' }
}

function unknownField(owner: AttributeOwner, field: string): FileProblem {
  const meant = nearest(field, Object.keys(owner.content.attributes))
  return {
    at: 'condition.field',
    message: `names ${field}, which is no attribute here`,
    remedy: meant === undefined ? 'name an attribute beside this one' : `did you mean ${meant}?`,
  }
}
