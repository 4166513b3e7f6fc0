import type { TextKey } from '../../ground/i18n/translate.ts'

/** Texts for problems that only occur with accounts, by problem code. */
export const accountProblems: Readonly<Record<string, TextKey>> = {
  unique: 'people.problems.taken',
  incorrect: 'people.problems.wrongPassword',
  identifier: 'people.problems.nameAsPassword',
  common: 'people.problems.commonPassword',
  unchanged: 'people.problems.samePassword',
}
