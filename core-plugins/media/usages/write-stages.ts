import type { Content, Entry, WriteContext, WriteStage } from '../../content/content.ts'
import { DatabaseError } from '../../database/database.ts'
import { AppError, type ErrorDetail } from '../../http/http.ts'
import { kindOf } from '../identify/file-types.ts'
import type { MediaFields, MediaPlace, StoredPlace } from './media-fields.ts'
import type { UsageStore } from './usage-store.ts'

export interface StageScope {
  readonly fields: MediaFields
  readonly store: UsageStore
  readonly content: Content
}

/** Refuses files of a kind that a media field does not take. */
export function judgeKinds({ fields, store }: StageScope): WriteStage {
  return {
    name: 'media: allowed types',
    matches: ({ type, operation }) =>
      ['create', 'update'].includes(operation) && fields.fieldsOf(type).length > 0,
    async run({ type, tx, data, isRepair }, next) {
      const entry = await next()
      if (isRepair) return entry
      const sent = Object.fromEntries(Object.entries(entry).filter(([name]) => Object.hasOwn(data, name)))
      const restricted = fields.placesIn(type, sent).filter(({ allowedTypes }) => allowedTypes !== undefined)
      if (restricted.length === 0) return entry
      const mediaTypes = await store.mediaTypes(
        restricted.map(({ mediaId }) => mediaId),
        tx,
      )
      const problems = restricted.flatMap((place) => problemOf(place, mediaTypes.get(place.mediaId)))
      if (problems.length > 0) throw AppError.invalid(problems)
      return entry
    },
  }
}

function problemOf({ path, mediaId, allowedTypes = [] }: MediaPlace, mediaType = ''): ErrorDetail[] {
  if (mediaType === '' || allowedTypes.includes(kindOf(mediaType))) return []
  const message = `takes ${allowedTypes.join(' and ')} only; file ${mediaId} is ${mediaType}`
  return [{ path, code: 'allowedTypes', message }]
}

/** Keeps the index of usages, in the transaction of every write; drafts beside entries use files, too. */
export function indexUsages(scope: StageScope): WriteStage {
  const { fields, store } = scope
  return {
    name: 'media: usages',
    matches: ({ type, operation }) => operation !== 'unpublish' && fields.fieldsOf(type).length > 0,
    async run(context, next) {
      const { type, operation, row, tx } = context
      const previous = row === undefined ? [] : fields.allPlaces(type, row, context.draft)
      const entry = await next()
      if (operation === 'delete') {
        await store.removeEntry(type.name, entry.id, tx)
        return entry
      }
      if (operation === 'restore') return restoreUsages(scope, context, entry)
      const stored = context.isDraftWrite && row !== undefined ? row : entry
      const places = fields.allPlaces(type, stored, context.draft)
      if (keyOf(places) === keyOf(previous)) return entry
      if (previous.length > 0) await store.removeEntry(type.name, entry.id, tx)
      await insertUsages(scope, context, { entry, places })
      return entry
    },
  }
}

/** What the entry names may have been removed while it was deleted. */
async function restoreUsages(scope: StageScope, context: WriteContext, entry: Entry): Promise<Entry> {
  const { fields, store, content } = scope
  const { type, tx, principal } = context
  const places = fields.allPlaces(type, entry, context.draft)
  const present = await store.mediaTypes(
    places.map(({ mediaId }) => mediaId),
    tx,
  )
  const gone = new Set(places.map(({ mediaId }) => mediaId).filter((id) => !present.has(id)))
  await insertUsages(scope, context, { entry, places: places.filter(({ mediaId }) => !gone.has(mediaId)) })
  if (gone.size === 0) return entry
  const without = (state: Entry) => fields.without(type, state, gone)
  await content.repair({ type: type.name, id: entry.id, principal, tx }, without)
  return { ...entry, ...without(entry) }
}

async function insertUsages(
  { store }: StageScope,
  { type, tx }: WriteContext,
  { entry, places }: { readonly entry: Entry; readonly places: readonly StoredPlace[] },
): Promise<void> {
  try {
    await store.insert([{ type: type.name, entryId: entry.id, usages: places }], tx)
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.kind !== 'reference') throw error
    throw AppError.invalid(
      places.map(({ path }) => ({ path, code: 'reference', message: 'a file named here is gone' })),
    )
  }
}

function keyOf(places: readonly StoredPlace[]): string {
  return places.map(({ mediaId, field, isDraft }) => `${mediaId} ${field} ${isDraft}`).join()
}
