import type { NamedIn, UsageKind } from '../../../entries/usage-index/usage-index.ts'
import { DatabaseError } from '../../../foundation/database/database.ts'
import { AppError } from '../../../foundation/http/http.ts'
import { itself } from '../itself.ts'
import type { MediaState } from '../state.ts'
import type { FilePlace, MediaFields } from './media-fields.ts'
import { type EntryUsages, type UsageStore, usagesTable } from './usage-store.ts'

export interface FileIndexParts {
  readonly fields: MediaFields
  readonly store: UsageStore
  readonly state: MediaState
}

/** The index of file usages over `svc_media_usages`, including those in pending drafts. */
export function fileIndex({ fields, store, state }: FileIndexParts): UsageKind<FilePlace> {
  return {
    ...{ name: 'media', table: usagesTable, itself },
    fieldsOf: (type) => fields.fieldsOf(type),
    placesIn: (type, entry, draft) => fields.allPlaces(type, entry, draft),
    keyOf: ({ file, field, isDraft }) => `${file} ${field} ${isDraft}`,
    async insert(named, tx) {
      const mentioned = await store.idsOf(mentionedKeys(named.flatMap(({ places }) => places)), tx)
      const entries = named.map(({ places, ...entry }) => ({
        ...entry,
        usages: usagesOf(places, mentioned),
      }))
      try {
        await store.insert(entries, tx)
      } catch (error) {
        throw explainInsertError(error, named, entries)
      }
    },
    vanished: {
      async among(places, tx) {
        const ids = places.flatMap((place) => referredId(place) ?? [])
        const present = await store.mediaTypes(ids, tx)
        return new Set(ids.filter((id) => !present.has(id)))
      },
      idIn: referredId,
      without: (type, entry, ids) => fields.without(type, entry, ids),
    },
    fingerprint: {
      get: () => state.get('usages'),
      set: (fingerprint) => state.set('usages', fingerprint),
    },
  }
}

/** The id of the record to which a field refers. */
function referredId({ file }: FilePlace): number | undefined {
  return typeof file === 'number' ? file : undefined
}

/** The file names that occur in texts. */
function mentionedKeys(places: readonly FilePlace[]): string[] {
  return places.flatMap(({ file }) => (typeof file === 'string' ? file : []))
}

/** The usages of places, given the record ids of the file names in texts; unknown names are ignored. */
function usagesOf(
  places: readonly FilePlace[],
  mentioned: ReadonlyMap<string, number>,
): EntryUsages['usages'] {
  return places.flatMap(({ file, field, isDraft }) => {
    const isText = typeof file === 'string'
    const mediaId = isText ? mentioned.get(file) : file
    return mediaId === undefined ? [] : { mediaId, field, isDraft, isText }
  })
}

/** Reports a file that has been removed since it was checked or found. */
function explainInsertError(
  error: unknown,
  named: readonly NamedIn<FilePlace>[],
  entries: readonly EntryUsages[],
): unknown {
  if (!(error instanceof DatabaseError) || error.kind !== 'reference') return error
  // If the file was named in a text, repeating the write no longer counts it.
  if (entries.some(({ usages }) => usages.some(({ isText }) => isText))) {
    return new DatabaseError(error.kind, error.message, { cause: error, mayRepeat: true })
  }
  return AppError.invalid(
    named.flatMap(({ places }) =>
      places.map(({ path }) => ({ path, code: 'reference', message: 'a file named here is gone' })),
    ),
  )
}
