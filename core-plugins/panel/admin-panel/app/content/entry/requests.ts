import { transport } from '../../ground/api/client.ts'
import type { DescribedType } from '../../ground/api/content-types.ts'
import type { EntryAddress } from './entry-address.ts'
import type { Entry, Saved } from './store/entry-store.ts'

/** Reads an entry with its draft and with the `_meta` values of plugins. */
export function readEntry(address: EntryAddress, signal?: AbortSignal): Promise<Saved> {
  const { type, id, locale, hasDrafts } = address
  const query = new URLSearchParams({ meta: 'true' })
  if (hasDrafts) query.set('draft', 'true')
  if (type.kind === 'singleType' && locale !== undefined) query.set('locale', locale)
  return request('GET', `${pathOf(type, id)}?${query}`, { signal })
}

/** Sends the changed fields, or a new entry. @throws MortiseError 412 if another user has saved since */
export function writeEntry(address: EntryAddress, changes: Entry, etag: string | undefined): Promise<Saved> {
  const { type, id, locale, translates } = address
  const ifMatch = etag === undefined ? {} : { headers: { 'if-match': etag } }
  if (translates !== undefined) {
    return request('POST', `${pathOf(type, translates)}/localizations`, { body: { ...changes, locale } })
  }
  if (id !== undefined) return request('PUT', pathOf(type, id), { body: changes, ...ifMatch })
  const inLocale = locale === undefined ? {} : { locale }
  if (type.kind === 'collectionType') {
    return request('POST', pathOf(type, undefined), { body: { ...changes, ...inLocale } })
  }
  return request('PUT', pathOf(type, undefined), { body: { ...changes, ...inLocale }, ...ifMatch })
}

interface RequestOptions {
  readonly body?: Entry
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

const pathOf = ({ name }: DescribedType, id: number | undefined) =>
  `/content/${encodeURIComponent(name)}${id === undefined ? '' : `/${id}`}`

async function request(method: string, path: string, options: RequestOptions): Promise<Saved> {
  const { data, headers } = await transport.send<Entry>(method, path, options)
  return { entry: data, etag: headers.get('etag') ?? '' }
}
