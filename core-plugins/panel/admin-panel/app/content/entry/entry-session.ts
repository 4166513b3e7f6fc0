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
  /** All locale versions of the entry; empty if there is only one. */
  readonly versions: readonly LocaleVersion[]
  /** Whether the user may read the entry but not change it. */
  readonly isReadOnly: boolean
  /** The state of saving. */
  readonly saving: Observable<Saving>
  /** Unsaved changes restored from a closed tab, until the user decides whether to keep them. */
  readonly restored: Observable<Restored | undefined>
  /** Whether this session belongs to an address; a new entry's address changes when it is stored. */
  isAt(address: EntryAddress): boolean
  /** Restores the stored values, as one undo step. */
  discard(): void
  /** Called when the form is unmounted; unsaved changes stay in the journal. */
  close(): void
  /** Saves the changes. False if the service refused them or the user has to resolve a conflict; the page shows which. */
  save(): Promise<boolean>
  /** Merges changes that other users have saved since, and keeps what was typed. Conflicts are asked about at the next save. */
  refresh(): Promise<void>
  /** Takes over the response of another write (publish, restore, a transition). Unsaved changes stay. */
  take(saved: Saved): void
}

/** A version of an entry in one locale. */
export interface LocaleVersion {
  readonly id: number
  readonly locale: string
  /** Null if no status has been set. */
  readonly status: string | null
}

/** Unsaved changes that were restored from the journal. */
export interface Restored {
  /** When the changes were made, in milliseconds since the epoch. */
  readonly at: number
  readonly fields: readonly string[]
}

export const EntryContext = createContext<EntrySession | undefined>(undefined)

/** The entry session of the surrounding form. */
export function useEntrySession(): EntrySession {
  const session = useContext(EntryContext)
  if (session === undefined) throw new Error('this component belongs into the form of an entry')
  return session
}

/** The open entry, for title-bar actions and side panels; they render again after saves, not on keystrokes. */
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
