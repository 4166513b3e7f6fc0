import { type Config, defaultLocale, locales } from '../../foundation/config/config.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'

/** The locales whose forms of a word count in a search. */
export interface SearchLocales {
  /** Those that entries of the types may have, or the asked one; `undefined`: no locale is asked for. */
  of(types: readonly ContentType[], asked: string | undefined): readonly string[]
  /** That of entries without one. */
  standard(): string
}

/** From the settings, and the types' own lists. */
export function createSearchLocales(config: Config): SearchLocales {
  const standard = () => config.get(defaultLocale)
  const localesOf = ({ options: { i18n } }: ContentType): readonly string[] => {
    const own = i18n.defaultLocale === undefined ? [] : [i18n.defaultLocale]
    return i18n.locales === undefined || i18n.locales.length === 0
      ? [...own, ...config.get(locales)]
      : i18n.locales
  }
  return {
    standard,
    of: (types, asked) => [
      ...new Set([...(asked === undefined ? types.flatMap(localesOf) : [asked]), standard()]),
    ],
  }
}
