import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { Entry } from '../store/entry-store.ts'
import { type Hold, hold } from './hold.ts'

/** Changes in a form that are not stored by the service yet. */
export interface Unsaved {
  /** Identifies the user and the entry: see `aboutOf`. */
  readonly about: string
  /** ETag of the version that the changes are based on; undefined for a new entry. */
  readonly etag: string | undefined
  /** The changed fields before and after the change. */
  readonly base: Entry
  readonly changes: Entry
}

/** Changes that a closed tab left in the journal. */
export interface Left extends Unsaved {
  /** When the last change was made, in milliseconds since the epoch. */
  readonly at: number
}

/** Keeps the unsaved changes of one form through crashes and closed tabs. */
export interface Journal {
  /** Changes to this entry left by a closed tab; this tab has taken them over. */
  readonly left: Left | undefined
  /** Replaces the stored changes. */
  write(unsaved: Unsaved): void
  /** Deletes the stored changes, because they were saved or discarded. */
  clear(): void
  /** Closes the journal; the stored changes stay for the next form that opens the entry. */
  close(): void
}

interface StoredRecord extends Left {
  /** Unique for each form, so that two tabs with the same entry do not overwrite each other. */
  readonly key: string
}

interface JournalSchema extends DBSchema {
  unsaved: { key: string; value: StoredRecord; indexes: { about: string } }
}

let database: Promise<IDBPDatabase<JournalSchema>> | undefined

const openDatabase = () => {
  database ??= openDB<JournalSchema>('mortise-panel', 1, {
    upgrade: (db) => db.createObjectStore('unsaved', { keyPath: 'key' }).createIndex('about', 'about'),
  })
  return database
}

/** Opens the journal of a form. If the browser offers no storage, changes are not kept. */
export async function openJournal(about: string): Promise<Journal> {
  try {
    const db = await openDatabase()
    const records = await db.getAllFromIndex('unsaved', 'about', about)
    records.sort((one, other) => other.at - one.at)
    for (const record of records) {
      const held = await hold(record.key)
      if (held !== undefined) return journalOf(db, record.key, held, record)
    }
    const key = newKey()
    return journalOf(db, key, (await hold(key)) ?? noHold)
  } catch {
    return { left: undefined, write() {}, clear() {}, close() {} }
  }
}

const noHold: Hold = { release() {} }

/** `crypto.randomUUID` is missing on pages without https. */
const newKey = () =>
  [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('-')

function journalOf(db: IDBPDatabase<JournalSchema>, key: string, held: Hold, left?: Left): Journal {
  let wanted: Unsaved | undefined
  let isWriting = false

  /** Runs one write at a time; changes made meanwhile are combined into the next write. */
  async function bringUpToDate() {
    if (isWriting) return
    isWriting = true
    try {
      for (let written: Unsaved | null | undefined = null; written !== wanted; ) {
        written = wanted
        if (written === undefined) await db.delete('unsaved', key)
        else await db.put('unsaved', { ...written, key, at: Date.now() })
      }
    } finally {
      isWriting = false
    }
  }

  function set(next: Unsaved | undefined) {
    wanted = next
    // If the disk is full, the form works on without a journal.
    bringUpToDate().catch(() => undefined)
  }

  return { left, write: set, clear: () => set(undefined), close: held.release }
}
