/** The language of a locale: `en` of `en-GB`. */
export function languageOf(locale: string): string {
  return locale.toLowerCase().split(/[-_]/, 1)[0] ?? ''
}
