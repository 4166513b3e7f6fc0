import type { TextKey } from '../../ground/i18n/translate.ts'

/** What only accounts are refused for, by the code of the problem. */
export const accountProblems: Readonly<Record<string, TextKey>> = {
  unique: 'people.problems.taken',
  incorrect: 'people.problems.wrongPassword',
  identifier: 'people.problems.nameAsPassword',
  common: 'people.problems.commonPassword',
  unchanged: 'people.problems.samePassword',
}
