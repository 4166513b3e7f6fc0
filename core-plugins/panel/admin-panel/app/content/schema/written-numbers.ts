import { writtenLocale } from '../../ground/i18n/translate.ts'
import { type LocalNumbers, localNumbers } from './numbers.ts'

let numbers: LocalNumbers | undefined

/** Numbers in the format of the user's locale. */
export function writtenNumbers(): LocalNumbers {
  numbers ??= localNumbers(writtenLocale())
  return numbers
}
