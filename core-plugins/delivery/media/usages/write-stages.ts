import type {
  Entry,
  PayloadReference,
  ReferenceCheck,
  StoredEntries,
  WriteContext,
  WriteStage,
} from '../../../entries/content/content.ts'
import { DatabaseError, type Transaction, untilCommit } from '../../../foundation/database/database.ts'
import { AppError, type ErrorDetail } from '../../../foundation/http/http.ts'
import type { MediaKind } from '../../../foundation/schemas/schemas.ts'
import { kindOf } from '../identify/file-types.ts'
import type { FilePlace, MediaFields } from './media-fields.ts'
import { mentionedKeys, referredIds, usagesOf } from './place-usages.ts'
import type { EntryUsages, UsageStore } from './usage-store.ts'

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
      const noteFiles = (places: readonly FilePlace[], isKnown: boolean) =>
        note(tx, { type: type.name, entryId: entry.id, places, isKnown })
      if (operation === 'delete') {
        noteFiles([], previous.length > 0)
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

/** The files that an entry names at the end of a write. */
interface NamedFiles {
  readonly type: string
  readonly entryId: number
  readonly places: readonly FilePlace[]
  /** Whether the index may contain it. */
  readonly isKnown: boolean
}

interface RestoredEntry {
  readonly entry: Entry
  noteFiles(places: readonly FilePlace[], isKnown: boolean): void
}

/** Files to which the entry refers may have been removed while it was deleted. */
async function restoreUsages(
  { fields, store, storedEntries }: StageDeps,
  { type, tx, principal, outcome }: WriteContext,
  { entry, noteFiles }: RestoredEntry,
): Promise<Entry> {
  const places = fields.allPlaces(type, entry, outcome.draft)
  const ids = referredIds(places)
  const present = await store.mediaTypes(ids, tx)
  const gone = new Set(ids.filter((id) => !present.has(id)))
  noteFiles(
    places.filter(({ file }) => typeof file === 'string' || !gone.has(file)),
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
  const mentioned = await store.idsOf(mentionedKeys(last.flatMap(({ places }) => places)), tx)
  const entries = last.map(({ type, entryId, places }) => ({
    type,
    entryId,
    usages: usagesOf(places, mentioned),
  }))
  try {
    await store.insert(entries, tx)
  } catch (error) {
    throw explainInsertError(error, last, entries)
  }
}

/** A file has been removed since it was checked, or found. */
function explainInsertError(
  error: unknown,
  named: readonly NamedFiles[],
  entries: readonly EntryUsages[],
): unknown {
  if (!(error instanceof DatabaseError) || error.kind !== 'reference') return error
  // A text may name it still: tried again, the write does not count that any more.
  if (entries.some(({ usages }) => usages.some(({ isText }) => isText))) {
    return new DatabaseError(error.kind, error.message, { cause: error, mayRepeat: true })
  }
  return AppError.invalid(
    named.flatMap(({ places }) =>
      places.map(({ path }) => ({ path, code: 'reference', message: 'a file named here is gone' })),
    ),
  )
}

function keyOf(places: readonly FilePlace[]): string {
  return places.map(({ file, field, isDraft }) => `${file} ${field} ${isDraft}`).join()
}
