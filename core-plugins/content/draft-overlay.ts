import type { ContentType } from '../schemas/schemas.ts'
import type { Entry } from './entry.ts'
import type { EntryModel } from './entry-model.ts'
import type { PendingDraft, PendingDrafts } from './pending-drafts.ts'
import { versionColumn } from './version.ts'

/** The field that shows readers of drafts whether an entry has a pending draft. */
export const draftMark = 'has_draft'

/** Finds the store of a type's pending drafts; undefined for types whose entries are changed directly. */
export type DraftsOf = (type: ContentType) => PendingDrafts | undefined

/**
 * `all` is complete only after every plugin has booted, so it is called at the first read or write of each
 * type.
 */
export function findDraftsOnce(all: () => readonly PendingDrafts[]): DraftsOf {
  const known = new Map<ContentType, PendingDrafts | undefined>()
  return (type) => {
    if (!known.has(type)) {
      known.set(type, type.system ? undefined : all().find((drafts) => drafts.matches(type)))
    }
    return known.get(type)
  }
}

/** A complete entry with its draft applied. */
export function withDraft(model: EntryModel, row: Entry, draft: PendingDraft | undefined): Entry {
  if (draft === undefined) return row
  const entry: Entry = { ...row }
  putDraft(model, entry, draft)
  return entry
}

/** Applies a draft to an entry, which may contain only some of its fields. */
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
