import { type Config, defaultLocale, locales } from '../../foundation/config/config.ts'
import type { ErrorDetail } from '../../foundation/http/http.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'

/** The locales that entries of a type can have. */
export interface Locales {
  of(type: ContentType): readonly string[]
  defaultOf(type: ContentType): string
  /** The problem with a locale sent by a client; undefined if it is valid. */
  problemOf(type: ContentType, locale: unknown): ErrorDetail | undefined
  /** The same for a locale in which entries of several types will be shown. */
  problemOfAny(types: readonly ContentType[], locale: unknown): ErrorDetail | undefined
  onChange(listener: () => void): void
}

/** The locales from the type's own list or, without one, from the settings. */
export function createLocales(config: Config): Locales {
  function of({ options: { i18n } }: ContentType): readonly string[] {
    if (i18n.locales !== undefined && i18n.locales.length > 0) return i18n.locales
    const all = config.get(locales)
    const { defaultLocale: own } = i18n
    return own === undefined || all.includes(own) ? all : [own, ...all]
  }

  function defaultOf(type: ContentType): string {
    const all = of(type)
    const wanted = type.options.i18n.defaultLocale ?? config.get(defaultLocale)
    return all.includes(wanted) ? wanted : (all[0] ?? wanted)
  }

  return {
    of,
    defaultOf,
    problemOf: (type, locale) => problemAmong(of(type), locale, `${type.name} does not have this locale`),
    problemOfAny(types, locale) {
      return problemAmong(
        [...new Set(types.flatMap((type) => of(type)))],
        locale,
        'no related type has this locale',
      )
    },
    onChange(listener) {
      config.onChange(locales, listener)
      config.onChange(defaultLocale, listener)
    },
  }
}

function problemAmong(known: readonly string[], locale: unknown, message: string): ErrorDetail | undefined {
  if (typeof locale !== 'string') return { path: 'locale', code: 'type', message: 'must be text' }
  if (known.includes(locale)) return undefined
  return { path: 'locale', code: 'enum', message: `${message}; use one of ${known.join(', ')}` }
}
