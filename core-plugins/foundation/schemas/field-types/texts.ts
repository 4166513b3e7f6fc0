import formats from 'ajv-formats/dist/formats.js'
import { Type } from 'typebox'
import type {
  FieldColumn,
  FilterRules,
  GraphqlValue,
  ValueAttributeBase,
  ValueCheck,
  ValueReport,
} from '../field-type.ts'
import type { FileProblem } from '../files/file-problem.ts'
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

/** The `maxLength` of `string` and `email` unless the file sets another. */
export const defaultStringLength = 255

/** MySQL indexes up to 3072 bytes, 768 characters of four bytes; longer strings are stored as text. */
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

/** Checks that `minLength` does not exceed the maximum length. */
export function checkLengths({ minLength = 0 }: LengthFile, longest: number): FileProblem[] {
  return minLength > longest ? [crossed('minLength', minLength, longest)] : []
}

/** Checks that the default is neither too short nor too long. */
export function checkDefaultLength(
  { minLength = 0, default: value }: LengthFile,
  longest: number,
): FileProblem[] {
  if (value === undefined) return []
  const length = [...value].length
  const fits = length >= minLength && length <= longest
  return fits ? [] : [badDefault(value, `have ${minLength} to ${longest} characters`)]
}

/** Checks the options of `string` and `email`, which may be unique. */
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

/** Fills in the options that the file omits for a short text. */
function completeShortText(file: ShortTextFile) {
  const { unique = false, minLength, maxLength = defaultStringLength } = file
  return compact({ unique, minLength, maxLength, default: file.default })
}

function shortTextColumn({ maxLength = defaultStringLength }: TextAttribute) {
  return maxLength > maxIndexedCharacters
    ? ({ kind: 'text' } as const)
    : ({ kind: 'string', length: maxLength } as const)
}

/** The JSON Schemas of a text, with further keywords. */
export const textSchemas = (keywords: { readonly format?: string } = {}) => ({
  jsonSchema: ({ minLength, maxLength, default: value }: TextAttribute) =>
    Type.String({ ...keywords, ...compact({ minLength, maxLength }), ...schemaDefault(value) }),
  accountSchema: ({ minLength, maxLength }: TextAttribute) =>
    Type.String({ ...keywords, ...compact({ minLength, maxLength }) }),
})

const textFilter: FilterRules<TextAttribute> = { operators: textOperators, operand: Type.String() }

export const comparableText = {
  isPossible: (value: unknown) => typeof value === 'string',
  expected: () => 'a text',
}

const emailPattern = formats.fullFormats.email as RegExp

/** Whether a text is an address by the rules of JSON Schema's format `email`. */
export function isEmail(text: string): boolean {
  return emailPattern.test(text)
}

/** Compiles the check of a text's type and length. */
function compileText(attribute: TextAttribute): ValueCheck {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = attribute
  return (value, report) => {
    if (typeof value !== 'string') return report.problem('type', 'must be a string')
    if (!isStorable(value)) return report.problem('format', storableRule)
    checkLength(value, minLength, maxLength, report)
    return value
  }
}

/** Compiles the check of an e-mail address. */
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

const textMembers = {
  shape: 'value',
  compileCheck: compileText,
  ...textSchemas(),
  filter: textFilter,
  graphql: (): GraphqlValue => ({ scalar: 'String' }),
  typescript: () => 'string',
  comparable: comparableText,
} as const

/** What `string` and `email` have in common. */
export const shortTextMembers = {
  ...textMembers,
  options: shortTextOptions,
  checkOptions: checkShortText,
  complete: completeShortText,
  column: shortTextColumn,
  // A length that exceeds an index is reported where the index is declared.
  index: { isText: true, characters: ({ maxLength = defaultStringLength }: LengthFile) => maxLength },
} as const

/** What `text` and `richtext` have in common. */
export const longTextMembers = {
  ...textMembers,
  column: (): FieldColumn => ({ kind: 'text' }),
  index: { isText: true, characters: () => undefined },
} as const

export const storableRule = 'must not contain NUL characters or halves of surrogate pairs'

/** PostgreSQL cannot store NUL; half of a surrogate pair is not a character and cannot be written as UTF-8. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && (text as string & { isWellFormed(): boolean }).isWellFormed()
}

function checkLength(text: string, minLength: number, maxLength: number, report: ValueReport): void {
  // A character is one or two code units, so most lengths are decided without counting.
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
