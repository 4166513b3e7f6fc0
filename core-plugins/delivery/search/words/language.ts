/** The language of a locale: `en` for `en-GB`. */
export function languageOf(locale: string): string {
  return locale.toLowerCase().split(/[-_]/, 1)[0] ?? ''
}
