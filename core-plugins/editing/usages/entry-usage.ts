import type { Content } from '../../entries/content/content.ts'
import { type EntryTitles, findTitles } from '../../entries/content-types/content-types.ts'
import type { Principal } from '../../foundation/http/http.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'
import { cascades, findDeletionImpact, type ImpactParts } from './deletion-impact.ts'
import { maxFound, type Referrer, type Referring, type ReferringEntry } from './referring.ts'
import type { EntryUsage, FieldUsage, UsageEffect } from './usages.ts'

export interface EntryUsageParts extends ImpactParts {
  readonly content: Content
}

export interface UsageRequest {
  readonly type: ContentType
  readonly id: number
  readonly principal: Principal
  /** The maximum number of entries to name per field. */
  readonly limit: number
}

/** The entries that refer to an entry by one field; at most `maxFound` + 1. */
interface Group extends Pick<FieldUsage, 'field' | 'isDraft' | 'effect'> {
  readonly type: ContentType
  readonly entries: readonly ReferringEntry[]
  readonly hasMore: boolean
}

/** The uses of an entry that the caller may see, and the effects of deleting it. */
export async function findUsage(parts: EntryUsageParts, request: UsageRequest): Promise<EntryUsage> {
  const { referring } = parts
  const byRelation = await findByRelation(referring, request)
  const groups = [...byRelation.map(groupOf), ...(await findByPlace(referring, request))]
  const used = groups.filter(({ entries }) => entries.length > 0)
  const titles = await titlesOf(used, parts, request)
  const found = byRelation.map(({ referrer, entries }) => ({ referrer, ids: entries.map(({ id }) => id) }))
  return {
    usages: used.map((group) => shown(group, titles, request.limit)),
    deletion: await findDeletionImpact(parts, request, found),
  }
}

interface ByRelation {
  readonly referrer: Referrer
  readonly entries: readonly ReferringEntry[]
}

async function findByRelation(
  referring: Referring,
  { type, id, principal }: UsageRequest,
): Promise<ByRelation[]> {
  const found: ByRelation[] = []
  for (const referrer of referring.referrers(type.name, principal)) {
    found.push({ referrer, entries: await referring.byRelation(referrer, [id], principal) })
  }
  return found
}

function groupOf({ referrer, entries }: ByRelation): Group {
  const { type, attribute } = referrer
  const hasMore = entries.length > maxFound
  return { type, field: attribute.name, isDraft: false, effect: effectOf(referrer), entries, hasMore }
}

function effectOf(referrer: Referrer): UsageEffect {
  const { onDelete } = referrer.attribute
  if (onDelete === 'RESTRICT') return onDelete
  return cascades(referrer) ? 'CASCADE' : 'SET NULL'
}

/** Uses in components, zones and drafts, which keep the id of a deleted entry. */
async function findByPlace(
  referring: Referring,
  { type: { name }, id, principal }: UsageRequest,
): Promise<Group[]> {
  const groups: Group[] = []
  for (const type of referring.leadingTo(name, principal)) {
    const places = await referring.byPlace(type, { type: name, id }, principal)
    const hasMore = places.length > maxFound
    const keys = new Map(places.map((place) => [`${place.isDraft} ${place.field}`, place]))
    for (const { field, isDraft } of keys.values()) {
      const entries = places.filter((place) => place.field === field && place.isDraft === isDraft)
      groups.push({ type, field, isDraft, effect: 'NONE', entries, hasMore })
    }
  }
  return groups
}

/** The titles of the entries that the answer names. */
function titlesOf(
  groups: readonly Group[],
  { content }: EntryUsageParts,
  { principal, limit }: UsageRequest,
): Promise<EntryTitles> {
  const wanted = groups.flatMap((group) => named(group, limit).map(({ id }) => ({ type: group.type, id })))
  return findTitles(content, wanted, principal)
}

function named({ entries }: Group, limit: number): ReferringEntry[] {
  return [...entries].sort((left, right) => left.id - right.id).slice(0, limit)
}

function shown(group: Group, titles: EntryTitles, limit: number): FieldUsage {
  const { type, field, isDraft, effect, entries, hasMore } = group
  return {
    ...{ type: type.name, field, isDraft, effect, hasMore },
    count: Math.min(entries.length, maxFound),
    entries: named(group, limit).map(({ id, isInTrash }) => ({
      id,
      title: titles.get(type)?.get(id) ?? null,
      isInTrash,
    })),
  }
}
