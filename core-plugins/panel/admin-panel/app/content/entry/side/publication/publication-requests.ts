import type { Checked } from '../../../../../../../../client/client.ts'
import type { Access } from '../../../../ground/access/access.ts'
import { transport } from '../../../../ground/api/client.ts'
import { queryClient } from '../../../../ground/api/query-client.ts'
import { entryAddress } from '../../entry-address.ts'
import type { OpenEntry } from '../../entry-session.ts'
import { readEntry } from '../../requests.ts'
import type { Entry, Saved } from '../../store/entry-store.ts'

/** An entry that is saved, as the parts around its form know it. */
export interface SavedEntry extends Pick<OpenEntry, 'type' | 'locale' | 'take'> {
  readonly id: number
  readonly saved: Saved
}

/** The path of an entry, that of a single type as well. */
export const pathOf = ({ type, id }: Pick<SavedEntry, 'type' | 'id'>) =>
  `/content/${encodeURIComponent(type.name)}/${id}`

interface EntryRequest {
  readonly method: 'PUT' | 'POST' | 'DELETE'
  /** Below the path of the entry: `/publish`. */
  readonly path: string
  readonly body?: unknown
}

/**
 * Changes an entry by something else than its fields, as long as nobody else has changed it, and lets the form continue
 * with what it has become. Answers what the service has said.
 */
export async function changeEntry(
  entry: SavedEntry,
  access: Access,
  { method, path, body }: EntryRequest,
): Promise<Entry> {
  const headers = { 'if-match': entry.saved.etag }
  const sent = { headers, ...(body === undefined ? {} : { body }) }
  const { data } = await transport.send<Entry>(method, pathOf(entry) + path, sent)
  await refreshEntry(entry, access)
  return data
}

/** Reads an entry again, with what answers to writes do not tell, and lets the form continue with that. */
export async function refreshEntry({ type, id, take }: SavedEntry, access: Access): Promise<void> {
  take(await readEntry(entryAddress({ type, id, search: new URLSearchParams(), access })))
  await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes(type.name) })
}

/** Who may read it sees this now: the entry without its draft. */
export async function readPublic(entry: SavedEntry, signal: AbortSignal): Promise<Entry> {
  return (await transport.send<Entry>('GET', pathOf(entry), { signal })).data
}

/** What the service would say to the entry as it is: whether it can be written like this, and be public. */
export async function checkEntry(entry: SavedEntry, values: Entry, signal: AbortSignal): Promise<Checked> {
  const { data } = await transport.send<Checked>('POST', `${pathOf(entry)}/check?publishing=true`, {
    body: values,
    signal,
  })
  return data
}
