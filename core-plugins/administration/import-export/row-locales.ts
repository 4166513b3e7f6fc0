import type { Localizations } from '../../editing/i18n/i18n.ts'
import type { Schemas } from '../../foundation/schemas/schemas.ts'

/** Adds the default locale to payloads without one, so that entries can be matched by locale. */
export interface RowLocales {
  /** Returns anything but an object unchanged. */
  complete(type: string, data: unknown): unknown
}

/** `localizations` is undefined while localisation is switched off. */
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
