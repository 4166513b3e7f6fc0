import type { ContentType } from '../schemas/schemas.ts'
import type { Entry, PendingDraft, PendingDrafts } from './content.ts'
import type { EntryModel } from './entry-model.ts'
import { versionColumn } from './version.ts'

/** Under this name an entry tells those who see drafts whether there is one beside it. */
export const draftMark = 'has_draft'

/** Who keeps the drafts of a type; undefined for types whose entries are changed at once. */
export type DraftsOf = (type: ContentType) => PendingDrafts | undefined

/** `all` is complete once all plugins have booted; asked at the first read or write of each type. */
export function findDraftsOnce(all: () => readonly PendingDrafts[]): DraftsOf {
  const known = new Map<ContentType, PendingDrafts | undefined>()
  return (type) => {
    if (!known.has(type)) {
      known.set(type, type.system ? undefined : all().find((drafts) => drafts.matches(type)))
    }
    return known.get(type)
  }
}

/** A whole entry with its draft in it. */
export function withDraft(model: EntryModel, row: Entry, draft: PendingDraft | undefined): Entry {
  if (draft === undefined) return row
  const entry: Entry = { ...row }
  putDraft(model, entry, draft)
  return entry
}

/** Puts a draft into an entry that may show some of its fields only. */
export function putDraft(model: EntryModel, entry: Entry, { values, updatedAt }: PendingDraft): void {
  for (const field of model.stored) {
    const { name } = field
    if (!Object.hasOwn(values, name) || !Object.hasOwn(entry, name)) continue
    if ('complete' in field) field.complete?.(values[name])
    entry[name] = values[name]
  }
  const rowUpdatedAt = entry[versionColumn]
  if (typeof rowUpdatedAt === 'string' && rowUpdatedAt < updatedAt) entry[versionColumn] = updatedAt
}
