/** The `lang` and `dir` attributes of an element that shows a text of an entry. */
export interface Writing {
  readonly dir: 'ltr' | 'rtl' | 'auto'
  /** BCP 47, for hyphenation, spelling, fonts and screen readers; absent if the language is unknown. */
  readonly lang?: string
}

/**
 * ISO 15924 codes of right-to-left scripts. `getTextInfo()` of `Intl.Locale` cannot be used: Firefox lacks it, and V8 treats
 * Dhivehi, Rohingya and Azerbaijani in Arabic script as left to right (findings/locale-direction.sh).
 */
const rightToLeft = new Set('Adlm Arab Hebr Mand Mend Nkoo Rohg Samr Syrc Thaa Yezi'.split(' '))

/** The attributes for a locale; without a valid locale, the direction is detected from each text. */
export function writingOf(locale: string | undefined): Writing {
  if (locale === undefined) return { dir: 'auto' }
  try {
    const { script = '' } = new Intl.Locale(locale).maximize()
    return { lang: locale, dir: rightToLeft.has(script) ? 'rtl' : 'ltr' }
  } catch {
    return { dir: 'auto' }
  }
}
