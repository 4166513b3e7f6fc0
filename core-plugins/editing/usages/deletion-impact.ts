import type { Auth } from '../../accounts/auth/auth.ts'
import type { SchemaRecord } from '../../foundation/database/database.ts'
import type { Principal } from '../../foundation/http/http.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'
import { maxFound, type Referrer, type Referring } from './referring.ts'
import type { Deletion } from './usages.ts'

/** The maximum number of levels of cascading deletes to follow. */
const maxLevels = 10

/** The ids already found that refer to a deleted entry by a relation. */
export interface Found {
  readonly referrer: Referrer
  readonly ids: readonly number[]
}

/** Whether entries with this relation are deleted along with their target; in to-many relations only the link is. */
export function cascades({ attribute }: Referrer): boolean {
  return attribute.onDelete === 'CASCADE' && !attribute.many
}

export interface ImpactParts {
  readonly auth: Auth
  readonly referring: Referring
  readonly schemaRecord: Pick<SchemaRecord, 'undeclaredHolds'>
}

export interface Doomed {
  readonly type: ContentType
  readonly id: number
  readonly principal: Principal
}

/** Follows cascading relations, level by level, starting with the entries that refer to the entry itself. */
export async function findDeletionImpact(
  parts: ImpactParts,
  { type, id, principal }: Doomed,
  direct: readonly Found[],
): Promise<Deletion> {
  const { auth, referring } = parts
  const deleted = new Map<ContentType, Set<number>>()
  let isRefused = false
  let isComplete = true
  let level = direct
  for (let depth = 0; level.length > 0; depth += 1) {
    isRefused ||= level.some(
      ({ referrer, ids }) => referrer.attribute.onDelete === 'RESTRICT' && ids.length > 0,
    )
    const next = level.filter(({ referrer }) => cascades(referrer)).flatMap((found) => begin(deleted, found))
    isComplete &&= level.every(({ ids }) => ids.length <= maxFound)
    if (next.length > 0 && (depth === maxLevels || countOf(deleted) > maxFound)) {
      isComplete = false
      break
    }
    level = await referringTo(next, { referring, principal })
  }
  const deletes = [...deleted].map(([{ name }, ids]) => ({ type: name, count: ids.size }))
  const toTrash = type.options.softDelete
  // Only administrators may know about tables that no type declares.
  const all: Deleted[] = [
    { type, ids: [id] },
    ...[...deleted].map(([each, ids]) => ({ type: each, ids: [...ids] })),
  ]
  const holds = auth.isAdministrator(principal) ? await findHolds(all, parts) : []
  // Entries that move to the trash keep their rows.
  isRefused ||= holds.some((held) => !(toTrash && held.type.options.softDelete))
  const heldBy = [...new Set(holds.flatMap(({ tables }) => tables))]
  return { toTrash, isRefused, ...(heldBy.length > 0 ? { heldBy } : {}), deletes, isComplete }
}

/** The tables no longer declared by a schema whose rows prevent the deletion of some of the entries. */
async function findHolds(all: readonly Deleted[], { schemaRecord }: ImpactParts) {
  const holds: { readonly type: ContentType; readonly tables: readonly string[] }[] = []
  for (const { type, ids } of all) {
    const tables = await schemaRecord.undeclaredHolds(type.table, ids)
    if (tables.length > 0) holds.push({ type, tables })
  }
  return holds
}

interface Deleted {
  readonly type: ContentType
  readonly ids: readonly number[]
}

/** The entries that are not already to be deleted: relations may be circular. */
function begin(deleted: Map<ContentType, Set<number>>, { referrer: { type }, ids }: Found): Deleted[] {
  const known = deleted.get(type) ?? new Set()
  const fresh = ids.filter((id) => !known.has(id))
  if (fresh.length === 0) return []
  deleted.set(type, new Set([...known, ...fresh]))
  return [{ type, ids: fresh }]
}

function countOf(deleted: ReadonlyMap<ContentType, ReadonlySet<number>>): number {
  return [...deleted.values()].reduce((sum, { size }) => sum + size, 0)
}

async function referringTo(
  level: readonly Deleted[],
  { referring, principal }: { readonly referring: Referring; readonly principal: Principal },
): Promise<Found[]> {
  const found: Found[] = []
  for (const { type, ids } of level) {
    for (const referrer of referring.referrers(type.name, principal)) {
      // Entries that merely lose a reference do not matter here.
      if (!cascades(referrer) && referrer.attribute.onDelete !== 'RESTRICT') continue
      const entries = await referring.byRelation(referrer, ids, principal)
      found.push({ referrer, ids: entries.map(({ id }) => id) })
    }
  }
  return found
}
