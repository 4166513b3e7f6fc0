import type { SQL } from 'drizzle-orm'
import { type ExtensionPoint, extensionPoint } from '../../../kernel/index.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'

/** A value that a field shows instead of the one stored in its column, such as a URL that depends on a setting. */
export interface ShownValue {
  /** Computes it from the stored value. */
  of(stored: unknown): unknown
  /** Computes it in SQL from columns of the row, for filters, sorts and groups. If missing, those use the stored value. */
  sql?(column: (name: string) => SQL): SQL
  /** A condition that an index can find, and that holds in every row where the shown value equals `value`. */
  indexed?(column: (name: string) => SQL, value: SQL): SQL
  /** For JSON: why queries cannot use keys whose shown value differs from the stored one; undefined if they can. */
  problemAt?(keys: readonly string[]): string | undefined
}

/** The shown values of a type's fields, by field name. */
export type ShownValues = (type: ContentType) => Readonly<Record<string, ShownValue>>

/** Contribute in `register` or `init`; asked once for each type. */
export const shownValues: ExtensionPoint<ShownValues> = extensionPoint('shownValues')

/** Finds the shown value of a field; undefined if it shows what is stored. */
export type FindShown = (type: ContentType, field: string) => ShownValue | undefined

/** The result must not be called before all plugins have contributed. */
export function findShownOnce(contributed: () => readonly ShownValues[]): FindShown {
  const byType = new Map<string, Readonly<Record<string, ShownValue>>>()
  return (type, field) => {
    const known = byType.get(type.name)
    if (known !== undefined) return known[field]
    const found = Object.assign({}, ...contributed().map((valuesOf) => valuesOf(type)))
    byType.set(type.name, found)
    return found[field]
  }
}
