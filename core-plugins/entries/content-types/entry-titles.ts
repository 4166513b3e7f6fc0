import type { Principal } from '../../foundation/http/http.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'
import type { Content } from '../content/content.ts'
import { titleFieldOf } from './title-field.ts'

/** Titles by type and id, null for entries without one; entries that the caller may not see are missing. */
export type EntryTitles = ReadonlyMap<ContentType, ReadonlyMap<number, string | null>>

/** An entry whose title is requested. */
export interface WantedTitle {
  readonly type: ContentType
  readonly id: number
}

/**
 * The titles of entries of several types, as lists would show them; one query per type.
 * @throws AppError 403 if the caller may not read one of the types
 */
export async function findTitles(
  content: Content,
  wanted: readonly WantedTitle[],
  principal: Principal,
): Promise<EntryTitles> {
  const titles = new Map<ContentType, ReadonlyMap<number, string | null>>()
  const reads = content.within()
  for (const [type, ids] of idsByType(wanted)) {
    const field = titleFieldOf([...type.attributes.values()], type.pluginOptions)
    const entries = await reads.findMany(type.name, [...ids], { principal, fields: [field] })
    titles.set(type, new Map(entries.map((entry) => [entry.id, titleIn(entry[field])])))
  }
  return titles
}

function idsByType(wanted: readonly WantedTitle[]): ReadonlyMap<ContentType, ReadonlySet<number>> {
  const ids = new Map<ContentType, Set<number>>()
  for (const { type, id } of wanted) ids.set(type, (ids.get(type) ?? new Set()).add(id))
  return ids
}

function titleIn(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
