import { type Config, defaultLocale, locales } from '../../foundation/config/config.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'

/** Decides in which locales words of a search are stemmed. */
export interface SearchLocales {
  /** The requested locale, or all that entries of the types may have; `undefined` if no locale was requested. */
  of(types: readonly ContentType[], asked: string | undefined): readonly string[]
  /** The locale of entries without one. */
  standard(): string
}

/** Reads them from the settings and from the lists of the types. */
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
