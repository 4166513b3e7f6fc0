import type { SQL } from 'drizzle-orm'
import { type ExtensionPoint, extensionPoint } from '../../../kernel/index.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'

/** What a field shows in the place of what its column holds, such as an address that depends on a setting. */
export interface ShownValue {
  /** Made of what is stored. */
  of(stored: unknown): unknown
  /** The same made of columns of the row: by it is filtered, sorted and grouped. Without it, by what is stored. */
  sql?(column: (name: string) => SQL): SQL
  /** Holds in every row where that equals a value, and is found by an index. */
  indexed?(column: (name: string) => SQL, value: SQL): SQL
  /** Of JSON: why queries cannot look at keys that show something else than is stored; undefined if they can. */
  problemAt?(keys: readonly string[]): string | undefined
}

/** What fields of a type show, by name. */
export type ShownValues = (type: ContentType) => Readonly<Record<string, ShownValue>>

/** Contribute in `register` or `init`; asked once for each type. */
export const shownValues: ExtensionPoint<ShownValues> = extensionPoint('shownValues')

/** Finds what a field of a type shows; undefined: what is stored. */
export type FindShown = (type: ContentType, field: string) => ShownValue | undefined

/** Not to be asked before all plugins have contributed. */
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
