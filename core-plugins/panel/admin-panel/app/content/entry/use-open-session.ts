import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useAccess } from '../../ground/access/access.ts'
import { refusalStatus } from '../../ground/api/refusal.ts'
import { t } from '../../ground/i18n/translate.ts'
import { toast } from '../../ground/kit/toast/toast.tsx'
import { labelOf } from '../schema/label.ts'
import { createSession } from './create-session.ts'
import { defaultsOf } from './defaults.ts'
import { type EntryAddress, entryKey, isNewAt } from './entry-address.ts'
import type { EntrySession } from './entry-session.ts'
import { openJournal } from './journal/journal.ts'
import { aboutOf } from './journal/keep.ts'
import { readEntry } from './requests.ts'
import type { Entry, Saved } from './store/entry-store.ts'

export type Opening =
  | { readonly kind: 'loading' }
  | { readonly kind: 'open'; readonly session: EntrySession }
  | { readonly kind: 'failed'; readonly error: Error }

interface OpenOptions {
  readonly address: EntryAddress
  /** Whether the user may read the entry but not change it. */
  readonly isReadOnly: boolean
  /** Change this number to retry. */
  readonly attempt: number
}

/** Opens the form of an address. The form of a new entry stays open when storing it changes the address. */
export function useOpenSession({ address, isReadOnly, attempt }: OpenOptions): Opening {
  const queries = useQueryClient()
  const { user } = useAccess()
  const [opening, setOpening] = useState<Opening>({ kind: 'loading' })
  const open = useRef<EntrySession>(undefined)
  const key = entryKey(address).join(' ')

  // The address is a new object on every render; its key covers all its members
  useEffect(() => {
    if (open.current?.isAt(address) === true) return
    open.current?.close()
    open.current = undefined
    setOpening({ kind: 'loading' })
    const cancel = new AbortController()
    openSession({ address, isReadOnly, queries, userId: user.id, signal: cancel.signal })
      .then((session) => {
        if (session === undefined) return
        open.current = session
        setOpening({ kind: 'open', session })
      })
      .catch((error: Error) => !cancel.signal.aborted && setOpening({ kind: 'failed', error }))
    return () => cancel.abort()
  }, [key, isReadOnly, attempt])
  useEffect(() => () => open.current?.close(), [])
  return opening
}

interface SessionOptions extends Omit<OpenOptions, 'attempt'> {
  readonly queries: QueryClient
  readonly userId: number
  readonly signal: AbortSignal
}

/**
 * Undefined if the component was unmounted meanwhile. The journal is opened last: its lock keeps other tabs from its changes, and
 * reading the entry may be slow or fail.
 */
async function openSession(options: SessionOptions): Promise<EntrySession | undefined> {
  const { address, isReadOnly, queries, userId, signal } = options
  const [saved, source] = await Promise.all([readSaved(address, queries), readSource(address, queries)])
  if (signal.aborted) return undefined
  const journal = await openJournal(aboutOf(userId, address))
  if (signal.aborted) {
    journal.close()
    return undefined
  }
  return createSession({
    ...{ address, saved, source, journal, userId, isReadOnly },
    defaults: defaultsOf(address.type),
    onMerged: toastMerged,
    onStored() {
      const { name } = address.type
      for (const shown of ['entries', 'titles']) void queries.invalidateQueries({ queryKey: [shown, name] })
    },
  })
}

/** Undefined for a new entry and for a single type without an entry. */
async function readSaved(address: EntryAddress, queries: QueryClient): Promise<Saved | undefined> {
  if (isNewAt(address)) return undefined
  try {
    return await fetchEntry(address, queries)
  } catch (error) {
    const isMissingSingle = address.id === undefined && refusalStatus(error) === 404
    if (isMissingSingle) return undefined
    throw error
  }
}

/** Reads the entry that a new entry copies or translates. */
async function readSource(address: EntryAddress, queries: QueryClient): Promise<Entry | undefined> {
  const id = address.translates ?? address.copies
  if (id === undefined) return undefined
  const source = { ...address, id, locale: undefined, copies: undefined, translates: undefined }
  return (await fetchEntry(source, queries)).entry
}

const fetchEntry = (address: EntryAddress, queries: QueryClient) =>
  queries.fetchQuery({
    queryKey: entryKey(address),
    queryFn: ({ signal }) => readEntry(address, signal),
    // A form must start from the current version, not from a cached one.
    staleTime: 0,
  })

function toastMerged(fields: readonly string[]) {
  toast('info', t('entry.merged', { fields: fields.map((name) => labelOf({ name })).join(', ') }))
}
