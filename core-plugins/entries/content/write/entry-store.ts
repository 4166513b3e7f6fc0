import { v7 as newUuid } from 'uuid'
import type { Explain, Transaction } from '../../../foundation/database/database.ts'
import type { Entry } from '../entry/entry.ts'
import type { EntryChange } from '../entry/entry-changes.ts'
import type { EntryModel } from '../entry/entry-model.ts'
import type { CheckedPayload } from '../payload/payload.ts'
import type { ReadDeps } from '../read/read-deps.ts'
import type { Change } from './change.ts'
import { createEntryLoads, type EntryLoads } from './entry-loads.ts'
import { EntryStatements } from './entry-statements.ts'
import { createEntryUpdates, type EntryUpdates } from './entry-updates.ts'
import { createHiddenColumns } from './hidden-columns.ts'
import type { KeptTimes } from './kept-times.ts'
import { createLinkStore } from './link-store.ts'

/** The rows of one type. */
export interface EntryStore extends EntryLoads, EntryUpdates {
  /**
   * Its links are inserted with the next statement of the transaction; if that fails, `explain` returns the
   * error to throw.
   */
  insert(payload: NewEntry, insertion: Insertion): Promise<Entry>
  /** The same for many entries with few statements; returns them in the same order. */
  insertMany(payloads: readonly NewEntry[], insertion: Insertion): Promise<readonly Entry[]>
  /** Announces a change that the row was already inserted with; returns the changed entry. */
  passAhead(before: Entry, change: Change, tx: Transaction): Entry
  /** Prevents new references to a loaded entry until the end of the transaction. */
  seal(id: number, tx: Transaction): Promise<void>
  remove(entry: Entry, tx: Transaction): Promise<void>
}

/** The checked payload of an entry that does not exist yet. */
export interface NewEntry extends Pick<CheckedPayload, 'columns' | 'links'> {
  readonly times?: KeptTimes | undefined
  /** The columns to insert instead, because the entry is published next (see `AheadRow`); not announced yet. */
  readonly ahead?: Readonly<Record<string, unknown>> | undefined
}

/** The transaction and circumstances of an insert. */
export interface Insertion {
  readonly now: string
  readonly tx: Transaction
  readonly explain: Explain
}

const noLinks: ReadonlyMap<string, readonly number[]> = new Map()

export function createEntryStore(model: EntryModel, deps: ReadDeps): EntryStore {
  const statements = new EntryStatements(model, deps)
  const links = createLinkStore(model, deps.database)
  const { type } = model
  const namesByColumn = new Map(
    model.stored.map((field) => ['column' in field ? field.column : '', field.name]),
  )
  const noteUpdate = (before: Entry, change: Change, tx: Transaction): Entry => {
    const after = changedEntry(model, before, change)
    const written = Object.keys(change.columns).flatMap((column) => namesByColumn.get(column) ?? [])
    const fields = [...written, ...(change.links ?? noLinks).keys()]
    deps.changed({ type, id: before.id, ...seenBy(before, after, change, fields) }, tx)
    return after
  }
  const noteCreation = (columns: Entry, { links: added }: NewEntry, tx: Transaction): Entry => {
    const entry = entryFrom(model, columns, added)
    deps.changed({ type, kind: 'create', id: entry.id, after: entry }, tx)
    return entry
  }
  return {
    ...createEntryLoads(model, deps),
    async insert(payload, { now, tx, explain }) {
      const columns = firstColumns(model, payload, now)
      const written = { ...columns, ...payload.ahead }
      const { insertId } = await tx.run(statements.insertion, statements.bindInsert(written))
      for (const [name, targetIds] of payload.links) {
        links.insert(name, [{ sourceId: insertId, targetIds }], { tx, explain })
      }
      return noteCreation({ id: insertId, ...columns }, payload, tx)
    },
    async insertMany(payloads, { now, tx, explain }) {
      const rows = payloads.map((payload) => firstColumns(model, payload, now))
      const written = rows.map((row, index) => ({ ...row, ...payloads[index]?.ahead }))
      const ids = await statements.insertions(
        written.map((row) => statements.stored(row)),
        tx,
      )
      for (const name of model.links.keys()) {
        const added = payloads.flatMap((payload, index) => {
          const targetIds = payload.links.get(name) ?? []
          return targetIds.length === 0 ? [] : [{ sourceId: ids[index] ?? 0, targetIds }]
        })
        if (added.length > 0) links.insert(name, added, { tx, explain })
      }
      return payloads.map((payload, index) =>
        noteCreation({ id: ids[index] ?? 0, ...rows[index] }, payload, tx),
      )
    },
    ...createEntryUpdates({ model, hidden: createHiddenColumns(model), statements, links, noteUpdate }),
    passAhead: noteUpdate,
    async seal(id, tx) {
      if (statements.sealing !== undefined) await tx.get(statements.sealing, { id })
    },
    async remove(before, tx) {
      await tx.run(statements.removal, { id: before.id })
      deps.changed({ type, kind: 'delete', id: before.id, before }, tx)
    },
  }
}

/** A new entry is a draft. Its UUID begins with the time, so that new UUIDs are neighbours in the index. */
function firstColumns(
  { uuid }: EntryModel,
  { columns, times = {} }: NewEntry,
  now: string,
): Record<string, unknown> {
  const { createdAt = now, updatedAt = now } = times
  const first: Record<string, unknown> = {
    ...{ ...columns, published_at: null, created_at: createdAt, updated_at: updatedAt },
  }
  if (uuid !== undefined) first[uuid.column] ??= newUuid()
  return first
}

/** Readers see a move to the trash as a deletion, and a restore as a creation. */
function seenBy(
  before: Entry,
  after: Entry,
  { columns }: Change,
  fields: readonly string[],
): Pick<EntryChange, 'kind' | 'before' | 'after' | 'fields'> {
  if (columns.deleted_at === null) return { kind: 'create', after }
  if (columns.deleted_at !== undefined) return { kind: 'delete', before }
  return { kind: 'update', before, after, fields }
}

/** Builds the entry of a new row without reading it back. */
function entryFrom(
  model: EntryModel,
  columns: Readonly<Record<string, unknown>>,
  links: ReadonlyMap<string, readonly number[]>,
): Entry {
  const entry: Record<string, unknown> = {}
  for (const field of model.stored) {
    entry[field.name] = 'link' in field ? [...(links.get(field.name) ?? [])] : (columns[field.column] ?? null)
  }
  return entry as Entry
}

function changedEntry(model: EntryModel, before: Entry, { columns, links = noLinks }: Change): Entry {
  const entry: Entry = { ...before }
  for (const field of model.stored) {
    if ('link' in field) {
      const ids = links.get(field.name)
      if (ids !== undefined) entry[field.name] = [...ids]
    } else if (field.column in columns) {
      entry[field.name] = columns[field.column]
    }
  }
  return entry
}
