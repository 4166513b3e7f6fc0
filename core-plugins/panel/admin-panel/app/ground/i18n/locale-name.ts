import { language } from './translate.ts'

/** What a locale is called in the language of the panel: `German` for `de`. */
export const localeName = (locale: string): string =>
  new Intl.DisplayNames([language()], { type: 'language' }).of(locale) ?? locale
