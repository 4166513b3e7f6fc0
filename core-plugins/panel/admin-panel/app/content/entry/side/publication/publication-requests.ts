import type { Checked } from '../../../../../../../../client/client.ts'
import type { Access } from '../../../../ground/access/access.ts'
import { transport } from '../../../../ground/api/client.ts'
import { queryClient } from '../../../../ground/api/query-client.ts'
import { entryAddress } from '../../entry-address.ts'
import type { OpenEntry } from '../../entry-session.ts'
import { readEntry } from '../../requests.ts'
import type { Entry, Saved } from '../../store/entry-store.ts'

/** A saved entry, as used by the parts around its form. */
export interface SavedEntry extends Pick<OpenEntry, 'type' | 'locale' | 'take'> {
  readonly id: number
  readonly saved: Saved
}

/** The API path of an entry, including the entry of a single type. */
export const pathOf = ({ type, id }: Pick<SavedEntry, 'type' | 'id'>) =>
  `/content/${encodeURIComponent(type.name)}/${id}`

interface EntryRequest {
  readonly method: 'PUT' | 'POST' | 'DELETE'
  /** Below the path of the entry: `/publish`. */
  readonly path: string
  readonly body?: unknown
}

/**
 * Changes an entry by a request that does not write fields, such as publish, unless another user has changed it since. The form
 * continues with the new state. Returns the response.
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

/** Reads an entry again, including `_meta` values that responses to writes leave out, and updates the form. */
export async function refreshEntry({ type, id, take }: SavedEntry, access: Access): Promise<void> {
  take(await readEntry(entryAddress({ type, id, search: new URLSearchParams(), access })))
  await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes(type.name) })
}

/** The entry as readers see it now: without its draft. */
export async function readPublic(entry: SavedEntry, signal: AbortSignal): Promise<Entry> {
  return (await transport.send<Entry>('GET', pathOf(entry), { signal })).data
}

/** Asks the service to validate the values without storing them: whether they can be written and published. */
export async function checkEntry(entry: SavedEntry, values: Entry, signal: AbortSignal): Promise<Checked> {
  const { data } = await transport.send<Checked>('POST', `${pathOf(entry)}/check?publishing=true`, {
    body: values,
    signal,
  })
  return data
}
