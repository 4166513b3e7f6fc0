import { nearest } from '../../../../kernel/index.ts'
import type { ComparableRules, FieldTypes } from '../field-type.ts'
import { type AttributeFile, fieldTypeOf, isToMany } from '../file-attribute.ts'
import { type FileProblem, shorten } from '../files/file-problem.ts'
import { type AttributeOwner, findAttribute } from '../files/schema-source.ts'

/** An attribute that may have a condition, and its owner. */
interface Conditional {
  readonly owner: AttributeOwner
  readonly name: string
  readonly file: AttributeFile
}

/** Checks that a condition can be evaluated on another attribute. Paths are relative to the attribute. */
export function checkCondition({ owner, name, file }: Conditional, fieldTypes: FieldTypes): FileProblem[] {
  const { condition } = file
  if (condition === undefined || owner.lost.has(condition.field)) return []
  const asked = findAttribute(owner, condition.field)
  if (condition.field === name) return [ownField()]
  if (asked === undefined) return [unknownField(owner, condition.field)]
  return checkValue(condition, asked, comparableRules(asked, fieldTypes))
}

type Condition = NonNullable<AttributeFile['condition']>

function checkValue(
  { field, operator, value }: Condition,
  asked: AttributeFile,
  rules: ComparableRules<AttributeFile> | undefined,
): FileProblem[] {
  if (operator === 'exists' || operator === 'empty') {
    return value === undefined || typeof value === 'boolean' ? [] : [badValue(value, 'true or false')]
  }
  if (rules === undefined) {
    const message = `${operator} cannot be used with ${field}, which has no single value`
    return [{ at: 'condition.operator', message, remedy: 'use exists or empty' }]
  }
  if (operator === 'in' || operator === 'notIn') {
    if (!Array.isArray(value)) return [badValue(value, 'an array')]
    return value
      .filter((item) => !rules.isPossible(item, asked))
      .map((item) => badValue(item, rules.expected(asked)))
  }
  return rules.isPossible(value, asked) ? [] : [badValue(value, rules.expected(asked))]
}

const comparableId: ComparableRules<AttributeFile> = {
  isPossible: Number.isSafeInteger,
  expected: () => 'an id',
}

/** Undefined for fields without a single value to compare. */
function comparableRules(
  asked: AttributeFile,
  fieldTypes: FieldTypes,
): ComparableRules<AttributeFile> | undefined {
  const definition = fieldTypeOf(asked, fieldTypes)
  if (definition.shape === 'reference') return isToMany(asked) ? undefined : comparableId
  return definition.shape === 'value' ? definition.comparable : undefined
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
    message: `names ${field}, which is not an attribute here`,
    remedy:
      meant === undefined ? 'name another attribute of the same type or component' : `did you mean ${meant}?`,
  }
}
