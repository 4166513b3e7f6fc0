import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import type { Auth } from '../../../accounts/auth/auth.ts'
import { createPace, defineJob, type JobKind, type Jobs } from '../../../background/jobs/jobs.ts'
import type { Content, ContentQueries, Entry, StoredEntries } from '../../../entries/content/content.ts'
import { findTitles } from '../../../entries/content-types/content-types.ts'
import { areEmptyTables, type Database, type Transaction } from '../../../foundation/database/database.ts'
import type { Principal } from '../../../foundation/http/http.ts'
import type { ContentType, Schemas } from '../../../foundation/schemas/schemas.ts'
import { itself } from '../itself.ts'
import type { MediaUsage } from '../media.ts'
import type { MediaState } from '../state.ts'
import { createEntryReader } from './entry-reader.ts'
import type { MediaFields } from './media-fields.ts'
import { mentionedKeys, referredIds, usagesOf } from './place-usages.ts'
import { type UsageStore, usagesTable } from './usage-store.ts'
import { createVisibleUsages } from './visible-usages.ts'

export interface UsageDeps {
  readonly auth: Auth
  readonly content: Content
  readonly contentQueries: ContentQueries
  readonly storedEntries: StoredEntries
  readonly database: Database
  readonly schemas: Schemas
  readonly fields: MediaFields
  readonly store: UsageStore
  readonly state: MediaState
}

/** A usage, and the file that is used. */
export type FileUsage = MediaUsage & { readonly mediaId: number }

export interface UsageIndex {
  /** A page of the places that name files and that the caller may see, and their number. */
  list(
    mediaIds: readonly number[],
    options: { readonly principal: Principal; readonly limit: number; readonly offset: number },
  ): Promise<{ readonly usages: FileUsage[]; readonly total: number }>
  /**
   * Removes files from every entry that refers to them; each of these entries gets a new version. Texts keep the addresses, which
   * lead nowhere then.
   */
  detach(mediaIds: readonly number[], principal: Principal, tx: Transaction): Promise<void>
  /** The job that rebuilds the index from all entries. */
  readonly rebuild: JobKind<{ schemas: string }>
  requestRebuild(jobs: Jobs, tx: Transaction): Promise<void>
  /** Requests a rebuild if the index was built for other schemas, or never. */
  rebuildIfStale(jobs: Jobs): Promise<void>
}

/** Entries with all of their texts. */
const mostAtOnce = 50

/** After all entries. */
const endOfIds = Number.MAX_SAFE_INTEGER

/** The entries of a type with ids above `after` and up to `last`. */
interface EntryRange {
  readonly type: ContentType
  readonly after: number
  readonly last: number
  readonly entries: readonly Entry[]
}

class MediaUsageIndex implements UsageIndex {
  readonly rebuild: UsageIndex['rebuild']
  readonly #deps: UsageDeps
  /** Those whose entries can name files. */
  readonly #types: readonly ContentType[]
  readonly #fingerprint: string
  readonly #visible: ReturnType<typeof createVisibleUsages>

  constructor(deps: UsageDeps) {
    const { auth, contentQueries, database, fields, schemas } = deps
    this.#deps = deps
    this.#types = [...schemas.types.values()].filter((type) => fields.fieldsOf(type).length > 0)
    this.#visible = createVisibleUsages({ auth, contentQueries, database, types: this.#types })
    this.#fingerprint = fingerprintOf(this.#types, fields, schemas)
    this.rebuild = this.#rebuildJob()
  }

  async list(mediaIds: readonly number[], options: { principal: Principal; limit: number; offset: number }) {
    const { content, schemas } = this.#deps
    const { found, total } = await this.#visible({ mediaIds, ...options })
    const wanted = found.map(({ type, entryId }) => ({ type: typeNamed(type, schemas), id: entryId }))
    const titles = await findTitles(content, wanted, options.principal)
    const usages = found.map(({ mediaId, type, entryId, field }): FileUsage => {
      const title = titles.get(typeNamed(type, schemas))?.get(entryId) ?? null
      return { mediaId, type, id: entryId, field, title }
    })
    return { usages, total }
  }

  async detach(mediaIds: readonly number[], principal: Principal, tx: Transaction) {
    const { schemas, store } = this.#deps
    const gone = new Set(mediaIds)
    const usages = await store.referencesTo(mediaIds, tx)
    const entries = new Map(usages.map((usage) => [`${usage.type} ${usage.entryId}`, usage]))
    for (const { type: name, entryId } of entries.values()) {
      const type = schemas.types.get(name)
      if (type !== undefined) await this.#takeOut(gone, { type, id: entryId }, { principal, tx })
    }
  }

  async requestRebuild(jobs: Jobs, tx: Transaction) {
    const schemas = this.#fingerprint
    await jobs.enqueue(tx, this.rebuild, { schemas }, { key: `media.reindex ${schemas}` })
  }

  async rebuildIfStale(jobs: Jobs) {
    const { database, state } = this.#deps
    if ((await state.get('usages')) === this.#fingerprint) return
    // Neither entries nor what the index says of earlier ones: writes keep it from here on.
    const tables = [usagesTable.name, ...this.#types.map(({ table }) => table)]
    if (await areEmptyTables(database, tables)) await state.set('usages', this.#fingerprint)
    else await database.transaction((tx) => this.requestRebuild(jobs, tx))
  }

  #rebuildJob() {
    return defineJob({
      name: 'media.reindex',
      payload: Type.Object({ schemas: Type.String() }),
      timeoutMs: 24 * 60 * 60_000,
      run: async (payload, { signal, reportProgress }) => {
        for (const [index, type] of this.#types.entries()) {
          await this.#rebuildType(type, signal)
          reportProgress(((index + 1) / this.#types.length) * 100)
        }
        await this.#forgetOtherTypes()
        // If another process has other schemas, its own job follows.
        await this.#deps.state.set('usages', payload.schemas)
      },
    })
  }

  async #rebuildType(type: ContentType, signal: AbortSignal): Promise<void> {
    const { database, fields, schemas } = this.#deps
    const reader = createEntryReader(type, fields.fieldsOf(type), { database, schemas })
    const pace = createPace({ database, most: mostAtOnce })
    for (let after = 0; after !== endOfIds; ) {
      signal.throwIfAborted()
      after = await pace.portion((items) =>
        database.transaction(
          async (tx) => {
            const entries = await reader.next(after, items, tx)
            const last = entries.length < items ? endOfIds : (entries.at(-1)?.id ?? 0)
            await this.#rebuildRange({ type, after, last, entries }, tx)
            return last
          },
          { isBackground: true },
        ),
      )
    }
  }

  /** Indexes the files of a range of entries again, and removes those that no longer exist from the fields that refer to them. */
  async #rebuildRange({ type, after, last, entries }: EntryRange, tx: Transaction): Promise<void> {
    const { fields, store, storedEntries } = this.#deps
    await store.removeRange({ type: type.name, after, last }, tx)
    const ids = entries.map(({ id }) => id)
    const drafts = await storedEntries.drafts(type.name, ids, tx)
    const found = entries.map((entry) => ({
      id: entry.id,
      places: fields.allPlaces(type, entry, drafts.get(entry.id)),
    }))
    const all = found.flatMap(({ places }) => places)
    const present = await store.mediaTypes(referredIds(all), tx)
    const mentioned = await store.idsOf(mentionedKeys(all), tx)
    const isThere = ({ mediaId, isText }: { mediaId: number; isText: boolean }) =>
      isText || present.has(mediaId)
    await store.insert(
      found.map(({ id, places }) => ({
        type: type.name,
        entryId: id,
        usages: usagesOf(places, mentioned).filter(isThere),
      })),
      tx,
    )
    for (const { id, places } of found) {
      const gone = new Set(referredIds(places).filter((mediaId) => !present.has(mediaId)))
      if (gone.size > 0) await this.#takeOut(gone, { type, id }, { principal: itself, tx })
    }
  }

  async #takeOut(
    gone: ReadonlySet<number>,
    { type, id }: { type: ContentType; id: number },
    { principal, tx }: { principal: Principal; tx: Transaction },
  ): Promise<void> {
    const { fields, storedEntries } = this.#deps
    await storedEntries.repair({ type: type.name, id, principal, tx }, (entry) =>
      fields.without(type, entry, gone),
    )
  }

  async #forgetOtherTypes(): Promise<void> {
    const { database, store } = this.#deps
    const declared = new Set(this.#types.map(({ name }) => name))
    for (const type of await store.types()) {
      if (declared.has(type)) continue
      await database.transaction((tx) => store.removeRange({ type, after: 0, last: endOfIds }, tx))
    }
  }
}

/** Makes the index of the places that refer to files, over `svc_media_usages`. */
export function createUsageIndex(deps: UsageDeps): UsageIndex {
  return new MediaUsageIndex(deps)
}

/** Only usages in entries of declared types are visible. */
const typeNamed = (name: string, { types }: Schemas) => types.get(name) as ContentType

/** Changes with everything that decides where an entry may name a file. */
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
