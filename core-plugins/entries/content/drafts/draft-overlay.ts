import { andThen } from '../../../../kernel/index.ts'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'
import type { Entry } from '../entry/entry.ts'
import type { EntryModel } from '../entry/entry-model.ts'
import { fittingValue } from '../entry/fitting-value.ts'
import { withHidden } from '../entry/hidden-parts.ts'
import { versionColumn } from '../entry/version.ts'
import type { PendingDraft, PendingDrafts } from './pending-drafts.ts'

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

/**
 * Converts drafts to the current schema as they are loaded, and keeps the hidden parts of their components when they are saved.
 */
function fittingDrafts(drafts: PendingDrafts, { stored }: EntryModel): PendingDrafts {
  const fields = new Map(stored.map((field) => [field.name, field]))
  const fitted = ({ values, updatedAt }: PendingDraft): PendingDraft => {
    const fitting = Object.entries(values).flatMap(([name, value]) => {
      const field = fields.get(name)
      const shown = field && fittingValue(field, value)
      return shown === undefined ? [] : [[name, shown] as const]
    })
    return { values: Object.fromEntries(fitting), updatedAt }
  }
  const whole = ({ values, updatedAt }: PendingDraft): PendingDraft => {
    const kept = Object.entries(values).map(([name, value]) => {
      const field = fields.get(name)
      const hasFit = field !== undefined && 'fit' in field && field.fit !== undefined
      return [name, hasFit ? withHidden(value) : value] as const
    })
    return { values: Object.fromEntries(kept), updatedAt }
  }
  return {
    matches: (type) => drafts.matches(type),
    load: (type, ids, on) =>
      andThen(
        drafts.load(type, ids, on),
        (found) => new Map([...found].map(([id, draft]) => [id, fitted(draft)])),
      ),
    save: (type, id, draft, tx) => drafts.save(type, id, whole(draft), tx),
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
