import type { Auth } from '../../accounts/auth/auth.ts'
import type { BulkWrites, Content, Entry, StoredEntries } from '../../entries/content/content.ts'
import type { Database } from '../../foundation/database/database.ts'
import type { Principal } from '../../foundation/http/http.ts'
import type { Schemas } from '../../foundation/schemas/schemas.ts'
import type { ItemStore } from './item-store.ts'
import type { ItemFinding, Release, ReleaseCheck, ReleaseItem } from './release.ts'
import type { ReleaseRights } from './release-rights.ts'
import type { ReleaseStore } from './release-store.ts'
import { itself, publisherOf } from './scheduled-publication.ts'
import { tryItems } from './try-items.ts'

export interface ReleaseCheckDeps {
  readonly store: ReleaseStore
  readonly items: ItemStore
  readonly rights: ReleaseRights
  readonly database: Database
  readonly bulkWrites: BulkWrites
  readonly content: Content
  readonly storedEntries: StoredEntries
  readonly schemas: Schemas
  readonly makers: Auth['makers']
}

export function createReleaseCheck(deps: ReleaseCheckDeps) {
  const { store, items, rights, makers } = deps

  async function lackedByScheduler(release: Release, types: readonly string[]): Promise<readonly string[]> {
    if (release.status !== 'scheduled') return []
    const scheduler = await publisherOf(release, makers)
    return types.filter((type) => !rights.mayPublish(scheduler, type))
  }

  /**
   * Costs as much as publishing: the release is published and rolled back, because only the writes know every reason to refuse.
   */
  return async (id: number, principal: Principal): Promise<ReleaseCheck> => {
    const release = await store.find(id)
    const all = await items.all(id)
    const types = [...new Set(all.map(({ contentType }) => contentType))]
    const isKnown = ({ contentType }: { contentType: string }) => rights.mayKnowOf(principal, contentType)
    const { problems, conflicts } = await findingsOf(deps, id, all)
    const lacked = await lackedByScheduler(release, types)
    const knownTypes = (names: readonly string[]) => names.filter((contentType) => isKnown({ contentType }))
    return {
      ready: all.length > 0 && problems.length === 0 && lacked.length === 0,
      problems: problems.filter(isKnown),
      conflicts: conflicts.filter(isKnown),
      callerLacks: knownTypes(types.filter((type) => !rights.mayPublish(principal, type))),
      schedulerLacks: knownTypes(lacked),
      hidden: {
        count: all.filter((item) => !isKnown(item)).length,
        problems: problems.filter((problem) => !isKnown(problem)).length,
      },
    }
  }
}

type Findings = Record<'problems' | 'conflicts', ItemFinding[]>

async function findingsOf(
  deps: ReleaseCheckDeps,
  id: number,
  all: readonly ReleaseItem[],
): Promise<Findings> {
  const findings: Findings = { problems: [], conflicts: [] }
  for (const type of new Set(all.map(({ contentType }) => contentType))) {
    const some = all.filter(({ contentType }) => contentType === type)
    await findInType(deps, type, some, findings)
  }
  const byId = new Map(all.map((item) => [item.id, item]))
  for (const { itemId, releaseId, name, scheduledAt, action } of await deps.items.shared(id)) {
    const item = byId.get(itemId)
    if (item === undefined) continue
    const release = { id: releaseId, name, scheduledAt }
    const message = `is also in the release ${name}, to ${action} it`
    findings.conflicts.push({ ...findingOf(item, 'OTHER_RELEASE', message), release })
  }
  return findings
}

async function findInType(
  deps: ReleaseCheckDeps,
  type: string,
  items: readonly ReleaseItem[],
  { problems, conflicts }: Findings,
): Promise<void> {
  if (deps.schemas.types.get(type)?.options.draftAndPublish !== true) {
    problems.push(...items.map((item) => findingOf(item, 'UNSUPPORTED', 'is of a type without drafts')))
    return
  }
  const ids = items.map(({ entryId }) => entryId)
  const fields = ['id', 'published_at']
  const entries = await deps.content.unguarded.findMany(type, ids, { principal: itself, fields })
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const drafts = await deps.storedEntries.drafts(type, ids, deps.database)
  const there = items.filter(({ entryId }) => byId.has(entryId))
  const missing = items.filter(({ entryId }) => !byId.has(entryId))
  problems.push(...missing.map((item) => findingOf(item, 'NOT_FOUND', 'is gone')))
  for (const { item, code, message } of await tryItems(deps, there))
    problems.push(findingOf(item, code, message))
  for (const item of there) {
    const entry = byId.get(item.entryId) as Entry
    conflicts.push(...conflictsOf(item, entry, drafts.has(item.entryId)))
  }
}

function conflictsOf(item: ReleaseItem, entry: Entry, hasDraft: boolean): ItemFinding[] {
  const { published_at: at } = entry
  const now = new Date().toISOString()
  const isPublic = typeof at === 'string' && at <= now
  if (typeof at === 'string' && !isPublic) {
    return [{ ...findingOf(item, 'SCHEDULED', `has a time of its own, ${at}`), at }]
  }
  const changesNothing = item.action === 'publish' ? isPublic && !hasDraft : at === null
  return changesNothing ? [findingOf(item, 'NO_CHANGE', 'is already as the release would make it')] : []
}

function findingOf({ id, contentType, entryId }: ReleaseItem, code: string, message: string): ItemFinding {
  return { itemId: id, contentType, entryId, code, message }
}
