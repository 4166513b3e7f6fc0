import { AppError } from '../../../foundation/http/http.ts'
import type { Entry } from '../entry/entry.ts'
import type { EntryQuery, Expansion } from '../entry-query.ts'

/** A relation that entries show under another name (alias), because the query requests it in several ways. */
export interface AliasedField {
  readonly name: string
  readonly field: string
  readonly isInComponent: boolean
}

/** The relations that a query requests under aliases. */
export function aliasedFields(query: string | EntryQuery): readonly AliasedField[] {
  return typeof query === 'string' ? [] : aliasesIn(query.populate ?? [], false)
}

function aliasesIn(expansions: readonly Expansion[], isInComponent: boolean): AliasedField[] {
  return expansions.flatMap(({ field, as: name = field, inComponents, limit }) => {
    if (inComponents === undefined)
      return name === field || limit === 0 ? [] : [{ name, field, isInComponent }]
    return Object.values(inComponents).flatMap((inside) => aliasesIn(inside, true))
  })
}

/** The values that entries show under the fields' own names, by entry id. */
export type OwnValues = ReadonlyMap<number, Readonly<Record<string, unknown>>>

export function ownValues(entries: readonly Entry[], aliases: readonly AliasedField[]): OwnValues {
  const valuesOf = (entry: Entry) => aliases.map(({ field }) => [field, entry[field]])
  return new Map(entries.map((entry) => [entry.id, Object.fromEntries(valuesOf(entry))]))
}

/**
 * Middleware knows fields only by their own names, so what it hides there is also hidden under the aliases.
 * @throws AppError 400 if it changed a field in a way that cannot be repeated for the aliases
 */
export function followOwnValues(
  entries: readonly Entry[],
  aliases: readonly AliasedField[],
  before: OwnValues,
): void {
  for (const entry of entries) {
    for (const { name, field, isInComponent } of aliases) {
      const own = entry[field]
      const isHidden = own == null || (Array.isArray(own) && own.length === 0)
      if (isHidden && !isInComponent) entry[name] = Array.isArray(entry[name]) ? [] : null
      else if (isInComponent || own !== before.get(entry.id)?.[field]) throw changedByMiddleware(field)
    }
  }
}

function changedByMiddleware(field: string): AppError {
  const message = `${field}: middleware may change it, so it can be requested only once, not in several ways`
  return AppError.invalid([{ path: 'populate', code: 'conflict', message }])
}
