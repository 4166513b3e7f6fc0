import { Type } from 'typebox'
import { bodyValidator, whenNeeded } from '../../../foundation/http/http.ts'

/** A provider has returned something unexpected. The message is for the log. */
export class UnexpectedAnswer extends Error {}

/** @throws UnexpectedAnswer for anything but an object */
export function objectIn(answer: unknown): Readonly<Record<string, unknown>> {
  if (typeof answer === 'object' && answer !== null && !Array.isArray(answer)) return { ...answer }
  throw new UnexpectedAnswer('the answer is not an object')
}

const longestSubject = 255

/** The id of an account, which some providers give as a number. @throws UnexpectedAnswer without one */
export function subjectIn(value: unknown): string {
  const subject = Number.isSafeInteger(value) ? String(value) : value
  if (typeof subject === 'string' && subject !== '' && subject.length <= longestSubject) return subject
  throw new UnexpectedAnswer('the answer has no id of the account')
}

/** A text that is not empty. */
export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

const validateEmail = whenNeeded(() => bodyValidator(Type.String({ format: 'idn-email', maxLength: 255 })))

/** An e-mail address that an account may have. */
export function emailIn(value: unknown): string | undefined {
  return typeof value === 'string' && validateEmail(value).length === 0 ? value : undefined
}
