import { createContext, useContext, useSyncExternalStore } from 'react'
import type { DescribedType } from '../../ground/api/content-types.ts'
import type { Observable } from '../../ground/observable.ts'
import type { EntryAddress } from './entry-address.ts'
import type { Reveal } from './reveal.ts'
import type { Saving } from './save/saving.ts'
import type { EntryState, EntryStore, Saved } from './store/entry-store.ts'

/** One entry that is open in a form. */
export interface EntrySession extends Reveal {
  readonly store: EntryStore
  readonly type: DescribedType
  /** Undefined for types without localisation. */
  readonly locale: string | undefined
  /** The entry in all its locales; empty while there is one only. */
  readonly versions: readonly LocaleVersion[]
  /** Whoever is signed in may look, but not write. */
  readonly isReadOnly: boolean
  /** How saving goes. */
  readonly saving: Observable<Saving>
  /** What an earlier tab has left, while nobody has said what is to become of it. */
  readonly restored: Observable<Restored | undefined>
  /** Whether it is the form of an address; a new entry gets another one when it is stored. */
  isAt(address: EntryAddress): boolean
  /** Goes back to what is stored; one step of undo. */
  discard(): void
  /** The form is gone. What is not saved is in the journal. */
  close(): void
  /** Saves what has changed. False: it was refused, or somebody is asked; the page says so. */
  save(): Promise<boolean>
  /**
   * Takes over what others have saved meanwhile, and keeps what was typed; where both have changed the same, the next
   * save asks.
   */
  refresh(): Promise<void>
  /** Takes over what a write has answered: publish, restore, a transition. Unsaved changes stay. */
  take(saved: Saved): void
}

/** A version of an entry in one locale. */
export interface LocaleVersion {
  readonly id: number
  readonly locale: string
  /** Null: none has been set. */
  readonly status: string | null
}

/** Unsaved changes that have come back. */
export interface Restored {
  /** When they were made, in milliseconds. */
  readonly at: number
  readonly fields: readonly string[]
}

export const EntryContext = createContext<EntrySession | undefined>(undefined)

/** The form that a component stands in. */
export function useEntrySession(): EntrySession {
  const session = useContext(EntryContext)
  if (session === undefined) throw new Error('this component belongs into the form of an entry')
  return session
}

/** The open entry, for title-bar actions and side panels; drawn anew by saves, not by keystrokes. */
export interface OpenEntry
  extends Pick<EntrySession, 'type' | 'locale' | 'isReadOnly' | 'save' | 'take' | 'reveal'>,
    EntryState {
  /** Undefined while the entry is new. */
  readonly id: number | undefined
}

export function useEntry(): OpenEntry {
  const { store, type, locale, isReadOnly, save, take, reveal } = useEntrySession()
  const state = useSyncExternalStore(store.subscribeToState, store.state)
  const id = state.saved?.entry.id as number | undefined
  return { ...state, id, type, locale, isReadOnly, save, take, reveal }
}
