import type { FileProblem, TypeDraft } from './draft.ts'

/** The options of localisation; those of the workflow are judged by its plugin. */
export function checkOptions({ content }: TypeDraft): FileProblem[] {
  const { locales, defaultLocale } = content.options?.i18n ?? {}
  const bad = [...(locales ?? []), defaultLocale ?? 'en'].filter((locale) => !isLocale(locale))
  if (bad.length > 0) {
    const message = `cannot be ${bad.join(', ')}`
    return [{ at: 'options.i18n', message, remedy: 'write locales such as en, de-CH or zh-Hant' }]
  }
  if (locales === undefined || defaultLocale === undefined || locales.includes(defaultLocale)) return []
  return [
    {
      at: 'options.i18n.defaultLocale',
      message: `is ${defaultLocale}, which is not among the locales`,
      remedy: `use one of ${locales.join(', ')}, or add it there`,
    },
  ]
}

function isLocale(text: string): boolean {
  return /^[A-Za-z]{2,8}([-_][A-Za-z0-9]{2,8})*$/.test(text)
}
