import { writtenLocale } from '../../ground/i18n/translate.ts'
import { type LocalNumbers, localNumbers } from './numbers.ts'

let numbers: LocalNumbers | undefined

/** Numbers as they are written where the reader is. */
export function writtenNumbers(): LocalNumbers {
  numbers ??= localNumbers(writtenLocale())
  return numbers
}
