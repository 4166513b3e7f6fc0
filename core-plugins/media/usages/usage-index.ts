import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import type { Auth } from '../../auth/auth.ts'
import type { Content } from '../../content/content.ts'
import type { Database, Transaction } from '../../database/database.ts'
import type { Principal } from '../../http/http.ts'
import { defineJob, type JobKind, type Jobs } from '../../jobs/jobs.ts'
import type { ContentType, Schemas } from '../../schemas/schemas.ts'
import type { MediaUsage } from '../media.ts'
import type { MediaState } from '../state.ts'
import { createEntryReader } from './entry-reader.ts'
import type { MediaFields } from './media-fields.ts'
import { createEntryTitles } from './titles.ts'
import type { EntryUsages, Usage, UsageStore } from './usage-store.ts'

export interface UsageScope {
  readonly auth: Auth
  readonly content: Content
  readonly database: Database
  readonly schemas: Schemas
  readonly fields: MediaFields
  readonly store: UsageStore
  readonly state: MediaState
}

export interface UsageIndex {
  /** One part of the places that name a file, as a caller may see them, and how many there are. */
  list(
    mediaId: number,
    options: { readonly principal: Principal; readonly limit: number; readonly offset: number },
  ): Promise<{ readonly usages: MediaUsage[]; readonly total: number }>
  /** Takes files out of every entry that names them; each of those entries gets a new version. */
  detach(mediaIds: readonly number[], principal: Principal, tx: Transaction): Promise<void>
  /** The job that builds the index anew from all entries. */
  readonly rebuild: JobKind<{ schemas: string }>
  requestRebuild(jobs: Jobs, tx: Transaction): Promise<void>
  /** Has the index built anew where it was made for other schemas, or never. */
  rebuildIfStale(jobs: Jobs): Promise<void>
}

/** Acts on behalf of the service, which sees and may do everything. */
const itself: Principal = { kind: 'token', id: 0, name: 'media', scopes: new Set(['admin:*']) }

const entriesAtOnce = 200

export function createUsageIndex(scope: UsageScope): UsageIndex {
  const { content, database, schemas, fields, store, state } = scope
  const titles = createEntryTitles(content, scope.auth)
  const types = [...schemas.types.values()].filter((type) => fields.fieldsOf(type).length > 0)
  const fingerprint = fingerprintOf(types, fields, schemas)

  async function rebuildType(type: ContentType, signal: AbortSignal): Promise<void> {
    const reader = createEntryReader(type, fields.fieldsOf(type), { database, schemas })
    let after = 0
    for (;;) {
      signal.throwIfAborted()
      const last = await database.transaction(async (tx) => {
        const entries = await reader.next(after, entriesAtOnce, tx)
        const last = entries.length < entriesAtOnce ? Number.MAX_SAFE_INTEGER : (entries.at(-1)?.id ?? 0)
        await store.removeRange({ type: type.name, after, last }, tx)
        const drafts = await content.drafts(
          type.name,
          entries.map(({ id }) => id),
          tx,
        )
        const found = entries.map((entry) => ({
          entry,
          places: fields.allPlaces(type, entry, drafts.get(entry.id)),
        }))
        const present = await store.mediaTypes(
          found.flatMap(({ places }) => places.map(({ mediaId }) => mediaId)),
          tx,
        )
        const usages = found.map(
          ({ entry, places }): EntryUsages => ({
            type: type.name,
            entryId: entry.id,
            usages: places.filter(({ mediaId }) => present.has(mediaId)),
          }),
        )
        await store.insert(usages, tx)
        for (const { entry, places } of found) {
          const gone = new Set(places.map(({ mediaId }) => mediaId).filter((id) => !present.has(id)))
          if (gone.size > 0) await takeOut(type, entry.id, { gone, principal: itself, tx })
        }
        return last
      })
      if (last === Number.MAX_SAFE_INTEGER) return
      after = last
    }
  }

  async function takeOut(
    type: ContentType,
    id: number,
    { gone, principal, tx }: { gone: ReadonlySet<number>; principal: Principal; tx: Transaction },
  ): Promise<void> {
    await content.repair({ type: type.name, id, principal, tx }, (entry) => fields.without(type, entry, gone))
  }

  const rebuild = defineJob({
    name: 'media.reindex',
    payload: Type.Object({ schemas: Type.String() }),
    timeoutMs: 24 * 60 * 60_000,
    async run(payload, { signal, reportProgress }) {
      for (const [index, type] of types.entries()) {
        await rebuildType(type, signal)
        reportProgress(((index + 1) / types.length) * 100)
      }
      const declared = new Set(types.map(({ name }) => name))
      for (const type of await store.types()) if (!declared.has(type)) await forget(type)
      // Where another process has other schemas, its own job follows.
      await state.set('usages', payload.schemas)
    },
  })

  function forget(type: string): Promise<void> {
    return database.transaction((tx) =>
      store.removeRange({ type, after: 0, last: Number.MAX_SAFE_INTEGER }, tx),
    )
  }

  const requestRebuild: UsageIndex['requestRebuild'] = async (jobs, tx) => {
    await jobs.enqueue(tx, rebuild, { schemas: fingerprint }, { key: `media.reindex ${fingerprint}` })
  }

  return {
    rebuild,
    requestRebuild,
    async list(mediaId, { principal, ...page }) {
      const overlaid = types.filter(({ options }) => options.draftOverlay).map(({ name }) => name)
      const draftTypes = overlaid.filter((type) => scope.auth.seesDrafts(principal, type))
      const listed = { mediaId, draftTypes }
      const [found, total] = await Promise.all([store.list({ ...listed, ...page }), store.count(listed)])
      const usages: MediaUsage[] = []
      const names = await titles.of(byType(found, schemas), principal)
      for (const { type, entryId, field } of found) {
        usages.push({ type, id: entryId, field, title: names.get(`${type} ${entryId}`) ?? null })
      }
      return { usages, total }
    },
    async detach(mediaIds, principal, tx) {
      const gone = new Set(mediaIds)
      const entries = new Map(
        (await store.ofMany(mediaIds, tx)).map(({ type, entryId }) => [
          `${type} ${entryId}`,
          { type, entryId },
        ]),
      )
      for (const { type: name, entryId } of entries.values()) {
        const type = schemas.types.get(name)
        if (type !== undefined) await takeOut(type, entryId, { gone, principal, tx })
      }
    },
    async rebuildIfStale(jobs) {
      if ((await state.get('usages')) === fingerprint) return
      await database.transaction((tx) => requestRebuild(jobs, tx))
    },
  }
}

function byType(usages: readonly Usage[], schemas: Schemas): ReadonlyMap<ContentType, readonly number[]> {
  const found = new Map<ContentType, number[]>()
  for (const { type: name, entryId } of usages) {
    const type = schemas.types.get(name)
    if (type !== undefined) found.set(type, [...(found.get(type) ?? []), entryId])
  }
  return found
}

/** Changes with everything that decides where in an entry a file may be named. */
function fingerprintOf(types: readonly ContentType[], fields: MediaFields, schemas: Schemas): string {
  const described = {
    types: types.map((type) => [type.name, fields.fieldsOf(type)]),
    components: [...schemas.components.values()].map(({ uid, attributes }) => [
      uid,
      [...attributes.values()],
    ]),
  }
  return createHash('sha256').update(JSON.stringify(described)).digest('hex').slice(0, 32)
}
