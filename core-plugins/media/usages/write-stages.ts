import type {
  Entry,
  PayloadReference,
  ReferenceCheck,
  StoredEntries,
  WriteContext,
  WriteStage,
} from '../../content/content.ts'
import { DatabaseError, type Transaction, untilCommit } from '../../database/database.ts'
import { AppError, type ErrorDetail } from '../../http/http.ts'
import type { MediaKind } from '../../schemas/schemas.ts'
import { kindOf } from '../identify/file-types.ts'
import type { MediaFields, StoredPlace } from './media-fields.ts'
import type { UsageStore } from './usage-store.ts'

export interface StageDeps {
  readonly fields: MediaFields
  readonly store: UsageStore
  readonly storedEntries: StoredEntries
}

/** Refuses files of a kind that a media field does not accept. */
export function checkKinds(store: UsageStore): ReferenceCheck {
  return {
    target: 'media',
    async check(references, queries) {
      const restricted = references.filter(({ attribute }) => kindsOf(attribute) !== undefined)
      if (restricted.length === 0) return []
      const ids = restricted.map(({ id }) => id)
      const mediaTypes = await store.mediaTypes(ids, queries)
      return restricted.flatMap((reference) => problemOf(reference, mediaTypes.get(reference.id)))
    },
  }
}

function kindsOf(attribute: PayloadReference['attribute']): readonly MediaKind[] | undefined {
  return attribute.type === 'media' ? attribute.allowedTypes : undefined
}

function problemOf({ path, id, attribute }: PayloadReference, mediaType = ''): ErrorDetail[] {
  const kinds = kindsOf(attribute) ?? []
  if (mediaType === '' || kinds.includes(kindOf(mediaType))) return []
  const message = `takes ${kinds.join(' and ')} only; file ${id} is ${mediaType}`
  return [{ path, code: 'allowedTypes', message }]
}

/** Updates the index of usages in the transaction of every write; pending drafts use files, too. */
export function indexUsages(deps: StageDeps): WriteStage {
  const { fields, store } = deps
  const note = untilCommit<NamedFiles>((all, tx) => replaceUsages(all, tx, store))
  return {
    name: 'media: usages',
    matches: ({ type, operation }) => operation !== 'unpublish' && fields.fieldsOf(type).length > 0,
    async run(context, next) {
      const { type, operation, stored, tx } = context
      const previous = stored === undefined ? [] : fields.allPlaces(type, stored.row, stored.draft)
      const entry = await next()
      const noteFiles = (places: readonly StoredPlace[], isKnown: boolean) =>
        note(tx, { type: type.name, entryId: entry.id, places, isKnown })
      if (operation === 'delete') {
        noteFiles([], true)
        return entry
      }
      if (operation === 'restore') return restoreUsages(deps, context, { entry, noteFiles })
      const row = context.isDraftWrite && stored !== undefined ? stored.row : entry
      const places = fields.allPlaces(type, row, context.outcome.draft)
      if (keyOf(places) !== keyOf(previous)) noteFiles(places, previous.length > 0)
      return entry
    },
  }
}

/** The files to which an entry refers at the end of a write. */
interface NamedFiles {
  readonly type: string
  readonly entryId: number
  readonly places: readonly StoredPlace[]
  /** Whether the index may contain it. */
  readonly isKnown: boolean
}

interface RestoredEntry {
  readonly entry: Entry
  noteFiles(places: readonly StoredPlace[], isKnown: boolean): void
}

/** Files to which the entry refers may have been removed while it was deleted. */
async function restoreUsages(
  { fields, store, storedEntries }: StageDeps,
  { type, tx, principal, outcome }: WriteContext,
  { entry, noteFiles }: RestoredEntry,
): Promise<Entry> {
  const places = fields.allPlaces(type, entry, outcome.draft)
  const present = await store.mediaTypes(
    places.map(({ mediaId }) => mediaId),
    tx,
  )
  const gone = new Set(places.map(({ mediaId }) => mediaId).filter((id) => !present.has(id)))
  noteFiles(
    places.filter(({ mediaId }) => !gone.has(mediaId)),
    false,
  )
  if (gone.size === 0) return entry
  const without = (state: Entry) => fields.without(type, state, gone)
  await storedEntries.repair({ type: type.name, id: entry.id, principal, tx }, without)
  return { ...entry, ...without(entry) }
}

/** If an entry was written several times in a transaction, the last write counts. */
async function replaceUsages(all: readonly NamedFiles[], tx: Transaction, store: UsageStore): Promise<void> {
  const last = [...new Map(all.map((each) => [`${each.entryId} ${each.type}`, each])).values()]
  for (const type of new Set(last.map((each) => each.type))) {
    const known = all.filter((each) => each.type === type && each.isKnown).map(({ entryId }) => entryId)
    if (known.length > 0) await store.removeEntries(type, [...new Set(known)], tx)
  }
  await insertUsages(last, tx, store)
}

async function insertUsages(
  entries: readonly NamedFiles[],
  tx: Transaction,
  store: UsageStore,
): Promise<void> {
  const named = entries.map(({ type, entryId, places }) => ({ type, entryId, usages: places }))
  try {
    await store.insert(named, tx)
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.kind !== 'reference') throw error
    throw AppError.invalid(
      entries.flatMap(({ places }) =>
        places.map(({ path }) => ({ path, code: 'reference', message: 'a file named here is gone' })),
      ),
    )
  }
}

function keyOf(places: readonly StoredPlace[]): string {
  return places.map(({ mediaId, field, isDraft }) => `${mediaId} ${field} ${isDraft}`).join()
}
