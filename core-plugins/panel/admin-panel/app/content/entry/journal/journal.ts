import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { Entry } from '../store/entry-store.ts'
import { type Hold, hold } from './hold.ts'

/** What has been typed into a form and is not stored by the service. */
export interface Unsaved {
  /** Whose it is, and of which entry: see `aboutOf`. */
  readonly about: string
  /** Of the version that it was made from; undefined for a new entry. */
  readonly etag: string | undefined
  /** The changed fields as they were, and as they are here. */
  readonly base: Entry
  readonly changes: Entry
}

/** What an earlier tab has left. */
export interface Left extends Unsaved {
  /** When it was typed last, in milliseconds. */
  readonly at: number
}

/** Keeps what is typed into one form, through crashes and closed tabs. */
export interface Journal {
  /** What was left of this entry by a tab that is gone. From now on, it is this one's. */
  readonly left: Left | undefined
  /** Replaces what is kept. */
  write(unsaved: Unsaved): void
  /** Everything is stored, or is to be forgotten. */
  clear(): void
  /** What is kept stays, for whoever opens the entry next. */
  close(): void
}

interface StoredRecord extends Left {
  /** Of the form, so that two tabs with one entry do not write over each other. */
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

/** Opens the journal of a form. In a browser that keeps nothing, nothing is kept. */
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

/** Also where `crypto.randomUUID` is not, which is on pages without https. */
const newKey = () =>
  [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('-')

function journalOf(db: IDBPDatabase<JournalSchema>, key: string, held: Hold, left?: Left): Journal {
  let wanted: Unsaved | undefined
  let isWriting = false

  /** One write at a time: what is typed during it is written by the next one, all at once. */
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
    // A full disk: the form works on, as if there were no journal.
    bringUpToDate().catch(() => undefined)
  }

  return { left, write: set, clear: () => set(undefined), close: held.release }
}
