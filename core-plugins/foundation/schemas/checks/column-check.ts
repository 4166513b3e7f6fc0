import type { FieldColumn, ValueCheck, ValueFieldType } from '../field-type.ts'
import { builtInTypes } from '../field-types/built-in.ts'
import { defaultStringLength, maxIndexedCharacters } from '../field-types/texts.ts'

/** The built-in field type for the values of each column kind. */
const typesByKind: ReadonlyMap<unknown, ValueFieldType> = new Map<unknown, ValueFieldType>([
  ['integer', builtInTypes.integer],
  ['bigint', builtInTypes.bigint],
  ['decimal', builtInTypes.decimal],
  ['boolean', builtInTypes.boolean],
  ['string', builtInTypes.string],
  ['text', builtInTypes.text],
  ['date', builtInTypes.date],
  ['datetime', builtInTypes.datetime],
  ['json', builtInTypes.json],
  ['point', builtInTypes.point],
])

/** @throws Error saying why a field cannot store values in such a column */
export function assertFieldColumn(column: unknown): asserts column is FieldColumn {
  const { kind, length } = (column ?? {}) as Partial<FieldColumn>
  if (!typesByKind.has(kind))
    throw new Error(`its column must be of kind ${[...typesByKind.keys()].join(', ')}`)
  if (length === undefined) return
  if (!Number.isInteger(length) || length < 1 || length > maxIndexedCharacters) {
    throw new Error(`the length of its column must be a whole number from 1 to ${maxIndexedCharacters}`)
  }
}

/**
 * Compiles the check that a column can hold a value.
 * @throws Error as `assertFieldColumn`
 */
export function compileColumnCheck(column: FieldColumn): ValueCheck {
  assertFieldColumn(column)
  const { kind, length = defaultStringLength } = column
  const type = typesByKind.get(kind) as ValueFieldType
  return type.compileCheck(kind === 'string' ? { maxLength: length } : {})
}
