import type { Localizations } from '../../editing/i18n/i18n.ts'
import type { Schemas } from '../../foundation/schemas/schemas.ts'

/** Gives payloads the locale that they would get, so that their entries can be told apart by it. */
export interface RowLocales {
  /** Anything but an object is returned as it is. */
  complete(type: string, data: unknown): unknown
}

/** `localizations` is undefined if nothing has locales. */
export function createRowLocales(
  { types }: Schemas,
  localizations: Pick<Localizations, 'defaultLocaleOf'> | undefined,
): RowLocales {
  return {
    complete(name, data) {
      const type = types.get(name)
      if (localizations === undefined || type?.options.i18n.enabled !== true) return data
      if (typeof data !== 'object' || data === null || Array.isArray(data)) return data
      return Object.hasOwn(data, 'locale') ? data : { ...data, locale: localizations.defaultLocaleOf(type) }
    },
  }
}
