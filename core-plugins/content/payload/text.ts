import formats from 'ajv-formats/dist/formats.js'
import type { EnumAttribute, TextAttribute } from '../../schemas/schemas.ts'
import type { PayloadReport, ValueCheck } from './report.ts'

const isEmail = formats.fullFormats.email as RegExp

/** Compiles the check of `string`, `email`, `text` and `richtext`. */
export function compileText(attribute: TextAttribute): ValueCheck {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = attribute
  const mustBeEmail = attribute.type === 'email'

  return (value, report) => {
    if (typeof value !== 'string') return report.problem('type', 'must be a string')
    if (!isStorable(value)) return report.problem('format', storableRule)
    checkLength(value, minLength, maxLength, report)
    if (mustBeEmail && value.length <= maxLength && !isEmail.test(value)) {
      report.problem('format', 'must be an e-mail address')
    }
    return value
  }
}

/** Compiles the check of `enum`. */
export function compileEnum(attribute: EnumAttribute): ValueCheck {
  const values: ReadonlySet<unknown> = new Set(attribute.values)
  const message = `must be one of ${attribute.values.join(', ')}`
  return (value, report) => (values.has(value) ? value : report.problem('enum', message))
}

export const storableRule = 'must not contain NUL characters or halves of surrogate pairs'

/** PostgreSQL stores no NUL; half of a surrogate pair is no character and cannot be written as UTF-8. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && (text as string & { isWellFormed(): boolean }).isWellFormed()
}

function checkLength(text: string, minLength: number, maxLength: number, report: PayloadReport): void {
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
