import type { DescribedAttribute } from '../../ground/api/content-types.ts'
import { createObservable } from '../../ground/observable.ts'
import { fieldKindOf } from '../schema/field-kinds.ts'
import { isSameValue } from '../schema/same-value.ts'
import { slugsOf } from '../schema/slug.ts'
import { type EntryAddress, entryKey } from './entry-address.ts'
import type { EntrySession, LocaleVersion, Restored } from './entry-session.ts'
import { formFieldsOf } from './form/form-fields.ts'
import type { Journal, Left } from './journal/journal.ts'
import { aboutOf, keepIn, startFrom } from './journal/keep.ts'
import { mergeEntry } from './merge/merge-entry.ts'
import { readEntry, writeEntry } from './requests.ts'
import { createReveal } from './reveal.ts'
import { saveEntry } from './save/save-entry.ts'
import { idle, type MergedEntry, type Saving } from './save/saving.ts'
import { createEntryStore, type Entry, type EntryStore, type Saved } from './store/entry-store.ts'
import { fieldsIn } from './store/unfinished.ts'

export interface SessionParts {
  readonly address: EntryAddress
  /** Undefined for a new entry, which begins with `defaults`. */
  readonly saved: Saved | undefined
  readonly defaults: Entry
  /** The entry that a new entry copies or translates. */
  readonly source: Entry | undefined
  readonly userId: number
  readonly journal: Journal
  readonly isReadOnly: boolean
  /** Called after a successful write, so that lists are read again. */
  readonly onStored: () => void
  /** Called with the names of fields whose changes by other users were merged without a conflict. */
  readonly onMerged: (fields: readonly string[]) => void
}

/** Opens an entry in a form, including unsaved changes that a closed tab left in the journal. */
export function createSession(parts: SessionParts): EntrySession {
  const { address, saved, source, userId, journal, isReadOnly } = parts
  const { type } = address
  const { left } = journal
  const defaults = newEntry(parts)
  const store = createEntryStore({
    ...startFrom(saved?.entry ?? defaults, saved, left ?? copied(parts)),
    fields: formFieldsOf(type).map(({ name }) => name),
    derived: saved === undefined ? slugsOf(type) : [],
  })
  const here = () => addressOf(address, store)
  const stopKeeping = keepIn(journal, store, () => aboutOf(userId, here()))

  return {
    ...createReveal(),
    ...savingOf(parts, store, here),
    store,
    type,
    locale: (saved?.entry.locale as string | undefined) ?? address.locale,
    versions: versionsOf(saved?.entry ?? source),
    isReadOnly,
    restored: createObservable(left === undefined ? undefined : restoredOf(left)),
    isAt: (other) => {
      const mine = type.kind === 'singleType' ? address : here()
      return entryKey(mine).join() === entryKey(other).join()
    },
    discard: () => discard(store, saved, defaults),
    close() {
      stopKeeping()
      journal.close()
    },
  }
}

/** The address of the entry; a new entry gets one with its id once it is stored. */
function addressOf(address: EntryAddress, store: EntryStore): EntryAddress {
  const id = store.state().saved?.entry.id
  if (typeof id !== 'number') return address
  return { ...address, id, locale: undefined, copies: undefined, translates: undefined }
}

const restoredOf = ({ at, changes }: Left): Restored => ({ at, fields: fieldsIn(changes) })

/** Replaces the form's values with the stored ones, as a single undo step. */
function discard(store: EntryStore, opened: Saved | undefined, defaults: Entry) {
  const { saved } = store.state()
  // The journal's changes may be based on an older version than the one just read.
  const latest = saved?.etag === opened?.etag ? saved : (opened ?? saved)
  const entry = latest?.entry ?? defaults
  store.rebase({ base: entry, values: store.values(), saved: latest })
  const changed = Object.keys(store.changedFields())
  store.changeAll(changed.map((field) => ({ path: field, value: entry[field] ?? null })))
}

/**
 * The values of a new entry: a translation takes the fields shared by all locales; all other fields are empty or have defaults.
 */
function newEntry({ address, defaults, source }: SessionParts): Entry {
  if (address.translates === undefined || source === undefined) return defaults
  const shared = formFieldsOf(address.type).filter(({ localized }) => !localized)
  return { ...defaults, ...Object.fromEntries(shared.map(({ name }) => [name, source[name] ?? null])) }
}

/** The values of a copy: all fields except those that must be unique. */
function copied({ address, source }: SessionParts) {
  if (address.copies === undefined || source === undefined) return undefined
  const fields = formFieldsOf(address.type).filter(({ unique }) => unique !== true)
  const changes = Object.fromEntries(fields.map(({ name }) => [name, source[name] ?? null]))
  return { etag: undefined, base: {}, changes }
}

const versionsOf = (entry: Entry | undefined): readonly LocaleVersion[] =>
  (entry?._meta as { readonly locales?: readonly LocaleVersion[] } | undefined)?.locales ?? []

/** The part of a session that writes. */
function savingOf(
  { address, onStored, onMerged }: SessionParts,
  store: EntryStore,
  here: () => EntryAddress,
) {
  const saving = createObservable<Saving>(idle)
  const attributes = formFieldsOf(address.type)
  const fields = attributes.map(({ name }) => name)
  const kinds = new Map(attributes.map((attribute) => [attribute.name, fieldKindOf(attribute)]))
  const mergeWith = (theirs: Entry, base: Entry) =>
    mergeEntry(fields, { base, mine: store.values(), theirs }, (field) => kinds.get(field)?.merge)

  /** Makes the response of a write the new base. `base` is what was sent; anything typed since stays in the form. */
  function take(answer: Saved, base: Entry) {
    // Only responses to reads contain `_meta` from plugins.
    const entry = { _meta: store.state().saved?.entry._meta, ...answer.entry }
    const { values } = mergeWith(entry, base)
    store.rebase({ base: entry, values, saved: { ...answer, entry } })
    onStored()
  }

  function takeWritten(answer: Saved, sent: Entry) {
    store.showProblems([])
    take(answer, sent)
  }

  function takeMerged({ theirs, values }: MergedEntry) {
    const base = store.base()
    store.rebase({ base: theirs.entry, values, saved: theirs })
    const arrived = fields.filter((field) => !isSameValue(base[field], theirs.entry[field]))
    if (arrived.length > 0) onMerged(arrived)
  }

  const write = (changes: Entry, etag: string | undefined) =>
    writeEntry(
      here(),
      etag === undefined ? { ...shown(store, attributes, address), ...changes } : changes,
      etag,
    )
  const merge = (theirs: Saved) => ({ ...mergeWith(theirs.entry, store.base()), theirs })
  const read = () => readEntry(here())

  async function refresh() {
    const before = store.state().saved
    if (before === undefined || saving.get().kind !== 'idle') return
    const theirs = await read()
    // A save has finished or started in the meantime, so this read is out of date.
    if (store.state().saved !== before || saving.get().kind !== 'idle') return
    const merged = merge(theirs)
    if (merged.conflicts.length === 0) takeMerged(merged)
  }

  return {
    saving,
    refresh,
    take: (answer: Saved) => take(answer, store.base()),
    save: () => saveEntry({ store, saving, write, read, merge, takeWritten, takeMerged }),
  }
}

/**
 * The values to store for a new entry: what the form shows, untouched defaults included. A translation leaves out the fields
 * shared with the other locales, since these are stored already.
 */
function shown(
  store: EntryStore,
  attributes: readonly DescribedAttribute[],
  { translates }: EntryAddress,
): Entry {
  const values = store.values()
  const own = attributes.filter(({ localized }) => localized || translates === undefined)
  const entries = own.map(({ name }) => [name, values[name]]).filter(([, value]) => (value ?? null) !== null)
  return Object.fromEntries(entries)
}
