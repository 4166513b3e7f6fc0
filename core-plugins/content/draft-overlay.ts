import { andThen } from '../../kernel/index.ts'
import type { ContentType } from '../schemas/schemas.ts'
import type { Entry } from './entry.ts'
import type { ColumnField, EntryModel } from './entry-model.ts'
import { withHidden } from './hidden-parts.ts'
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
export function findDraftsOnce(
  all: () => readonly PendingDrafts[],
  models: ReadonlyMap<string, EntryModel>,
): DraftsOf {
  const known = new Map<ContentType, PendingDrafts | undefined>()
  return (type) => {
    if (!known.has(type)) {
      const found = type.system ? undefined : all().find((drafts) => drafts.matches(type))
      const model = models.get(type.name)
      known.set(type, found && model && fittingDrafts(found, model))
    }
    return known.get(type)
  }
}

/** Drafts whose components are as their schemas say, and which keep what is hidden in them. */
function fittingDrafts(drafts: PendingDrafts, { stored }: EntryModel): PendingDrafts {
  const holders = stored.flatMap((field) => ('fit' in field && field.fit !== undefined ? [field] : []))
  if (holders.length === 0) return drafts
  const changed = (
    draft: PendingDraft,
    change: (field: ColumnField, value: unknown) => unknown,
  ): PendingDraft => {
    const values: Record<string, unknown> = { ...draft.values }
    for (const field of holders) {
      if (Object.hasOwn(values, field.name)) values[field.name] = change(field, values[field.name])
    }
    return { ...draft, values }
  }
  return {
    matches: (type) => drafts.matches(type),
    load: (type, ids, on) =>
      andThen(drafts.load(type, ids, on), (found) => {
        const fitted = (draft: PendingDraft) => changed(draft, ({ fit }, value) => fit?.(value) ?? null)
        return new Map([...found].map(([id, draft]) => [id, fitted(draft)]))
      }),
    save: (type, id, draft, tx) =>
      drafts.save(
        type,
        id,
        changed(draft, (_, value) => withHidden(value)),
        tx,
      ),
    remove: (type, ids, tx) => drafts.remove(type, ids, tx),
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
  for (const { name } of model.stored) {
    if (!Object.hasOwn(values, name) || !Object.hasOwn(entry, name)) continue
    entry[name] = values[name]
  }
  const rowUpdatedAt = entry[versionColumn]
  if (typeof rowUpdatedAt === 'string' && rowUpdatedAt < updatedAt) entry[versionColumn] = updatedAt
}
