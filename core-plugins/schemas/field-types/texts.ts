import formats from 'ajv-formats/dist/formats.js'
import { Type } from 'typebox'
import type { FilterRules, ValueAttributeBase, ValueCheck, ValueReport } from '../field-type.ts'
import type { FileProblem } from '../file-problem.ts'
import { textOperators } from '../filter-operators.ts'
import { badDefault, compact, count, crossed, schemaDefault, uniqueOption } from './options.ts'

/** `string`, `email` (a string that must be an address), `text` and `richtext`. */
export interface TextAttribute extends ValueAttributeBase {
  readonly type: 'string' | 'email' | 'text' | 'richtext'
  readonly unique: boolean
  readonly minLength?: number
  readonly maxLength?: number
  readonly default?: string
}

/** A `string` or `email` that says nothing else has at most as many characters. */
export const defaultStringLength = 255

/** MySQL indexes at most 3072 bytes, four a character; longer strings are stored as text. */
export const maxIndexedCharacters = 768

export const textDefault = Type.Optional(Type.String())

export const lengthOptions = { minLength: count('Fewest characters.'), maxLength: count('Most characters.') }

export const shortTextOptions = { ...lengthOptions, unique: uniqueOption, default: textDefault }

interface LengthFile {
  readonly minLength?: number
  readonly maxLength?: number
  readonly default?: string
}

interface ShortTextFile extends LengthFile {
  readonly unique?: boolean
}

/** Whether the lengths leave room between them. */
export function checkLengths({ minLength = 0 }: LengthFile, longest: number): FileProblem[] {
  return minLength > longest ? [crossed('minLength', minLength, longest)] : []
}

/** Whether the default keeps the lengths. */
export function checkDefaultLength(
  { minLength = 0, default: value }: LengthFile,
  longest: number,
): FileProblem[] {
  if (value === undefined) return []
  const length = [...value].length
  const fits = length >= minLength && length <= longest
  return fits ? [] : [badDefault(value, `have ${minLength} to ${longest} characters`)]
}

/** Both, for `string` and `email`, which may be unique. */
export function checkShortText(file: ShortTextFile): FileProblem[] {
  const longest = file.maxLength ?? defaultStringLength
  const isTooLong = file.unique === true && longest > maxIndexedCharacters
  return [
    ...checkLengths(file, longest),
    ...(isTooLong ? [tooLongForUnique(longest)] : []),
    ...checkDefaultLength(file, longest),
  ]
}

function tooLongForUnique(longest: number): FileProblem {
  return {
    at: 'unique',
    message: `is not possible for up to ${longest} characters`,
    remedy: `set maxLength to ${maxIndexedCharacters} or less`,
  }
}

/** What a short text has once every default is filled in. */
export function completeShortText(file: ShortTextFile) {
  const { unique = false, minLength, maxLength = defaultStringLength } = file
  return compact({ unique, minLength, maxLength, default: file.default })
}

export function shortTextColumn({ maxLength = defaultStringLength }: TextAttribute) {
  return maxLength > maxIndexedCharacters
    ? ({ kind: 'text' } as const)
    : ({ kind: 'string', length: maxLength } as const)
}

/** The room that a short text takes in an index, in characters; it may be more than any index has. */
export function shortTextIndexRoom({ maxLength = defaultStringLength }: LengthFile): number {
  return maxLength
}

/** The JSON Schema of a text; `more` comes first. */
export function textSchema(attribute: TextAttribute, more: { readonly format?: string } = {}) {
  const { minLength, maxLength } = attribute
  return Type.String({ ...more, ...compact({ minLength, maxLength }), ...schemaDefault(attribute.default) })
}

/** The same without its default, for accounts. */
export function accountTextSchema(attribute: TextAttribute, more: { readonly format?: string } = {}) {
  const { minLength, maxLength } = attribute
  return Type.String({ ...more, ...compact({ minLength, maxLength }) })
}

export const textFilter: FilterRules<TextAttribute> = { operators: textOperators, operand: Type.String() }

export const comparableText = {
  isPossible: (value: unknown) => typeof value === 'string',
  expected: () => 'a text',
}

const emailPattern = formats.fullFormats.email as RegExp

/** As JSON Schema's format `email` has it. */
export function isEmail(text: string): boolean {
  return emailPattern.test(text)
}

/** Compiles the check of a text's type and length. */
export function compileText(attribute: TextAttribute): ValueCheck {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = attribute
  return (value, report) => {
    if (typeof value !== 'string') return report.problem('type', 'must be a string')
    if (!isStorable(value)) return report.problem('format', storableRule)
    checkLength(value, minLength, maxLength, report)
    return value
  }
}

/** The same for e-mail addresses. */
export function compileEmail(attribute: TextAttribute): ValueCheck {
  const checkText = compileText(attribute)
  const { maxLength = Number.POSITIVE_INFINITY } = attribute
  return (value, report) => {
    const text = checkText(value, report)
    if (typeof text === 'string' && text.length <= maxLength && !isEmail(text)) {
      report.problem('format', 'must be an e-mail address')
    }
    return text
  }
}

export const storableRule = 'must not contain NUL characters or halves of surrogate pairs'

/** PostgreSQL stores no NUL; half of a surrogate pair is no character and cannot be written as UTF-8. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && (text as string & { isWellFormed(): boolean }).isWellFormed()
}

function checkLength(text: string, minLength: number, maxLength: number, report: ValueReport): void {
  // A character is one or two code units, so most lengths are settled without counting.
  if (text.length <= maxLength && text.length >= 2 * minLength) return
  const length = countCharacters(text)
  if (length < minLength) report.problem('minLength', `must have at least ${minLength} characters`)
  if (length > maxLength) report.problem('maxLength', `must have at most ${maxLength} characters`)
}

/** In Unicode code points, as all three databases count them. */
function countCharacters(wellFormed: string): number {
  let pairs = 0
  for (let index = 0; index < wellFormed.length; index++) {
    if ((wellFormed.charCodeAt(index) & 0xfc00) === 0xd800) pairs++
  }
  return wellFormed.length - pairs
}
