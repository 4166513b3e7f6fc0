import { language } from './translate.ts'

/** The name of a locale in the panel's language: `German` for `de`. */
export const localeName = (locale: string): string =>
  new Intl.DisplayNames([language()], { type: 'language' }).of(locale) ?? locale
