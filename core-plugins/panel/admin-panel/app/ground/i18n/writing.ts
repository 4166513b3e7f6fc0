/** How a text of an entry is written, for the element that shows it. */
export interface Writing {
  readonly dir: 'ltr' | 'rtl' | 'auto'
  /** BCP 47, for hyphenation, spelling, fonts and screen readers; absent where the language is not known. */
  readonly lang?: string
}

/**
 * ISO 15924 codes of the scripts that run from right to left. `getTextInfo()` of `Intl.Locale` is no help: Firefox lacks it,
 * and V8 takes Dhivehi, Rohingya and Azerbaijani in Arabic letters for left to right (findings/locale-direction.sh).
 */
const rightToLeft = new Set('Adlm Arab Hebr Mand Mend Nkoo Rohg Samr Syrc Thaa Yezi'.split(' '))

/** How a locale is written; without one, or with one that is none, every text shows it itself. */
export function writingOf(locale: string | undefined): Writing {
  if (locale === undefined) return { dir: 'auto' }
  try {
    const { script = '' } = new Intl.Locale(locale).maximize()
    return { lang: locale, dir: rightToLeft.has(script) ? 'rtl' : 'ltr' }
  } catch {
    return { dir: 'auto' }
  }
}
