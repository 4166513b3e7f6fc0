import type { Agreement } from '../agreements.ts'
import { itemsAtOnce, pageSize, type SideDescription, type TransferSide } from '../plan/side.ts'
import type { SomeItems } from '../reads.ts'
import type { ItemName, ItemVersion, TransferItem } from '../transfer-item.ts'
import { createRemoteClient, type RemoteOptions } from './remote-client.ts'
import { sendPackage } from './send-package.ts'

/** Another environment, over HTTP. */
export function openRemoteSide(options: RemoteOptions): TransferSide {
  const client = createRemoteClient(options)
  const get = <T>(path: string, query: Readonly<Record<string, string | number>> = {}) =>
    client.json<T>('GET', path, { query })
  const post = <T>(path: string, body: unknown) => client.json<T>('POST', path, { body })

  async function find(section: string, keys: readonly string[]): Promise<readonly TransferItem[]> {
    const items: TransferItem[] = []
    let rest = keys
    while (rest.length > 0) {
      const wanted = rest.slice(0, itemsAtOnce)
      const answer = await post<SomeItems>('/records', { section, keys: wanted })
      items.push(...answer.items)
      rest = [...answer.rest, ...rest.slice(itemsAtOnce)]
    }
    return items
  }

  return {
    name: client.name,
    describe: () => get<SideDescription>(''),
    page: (section, after) => get<ItemVersion[]>('/items', { section, after, limit: pageSize }),
    find,
    agreements: (peer, section, after) =>
      get<Agreement[]>('/agreements', { peer, section, after, limit: pageSize }),
    agreementsOn: (peer, section, keys) => post<Agreement[]>('/agreements/find', { peer, section, keys }),
    async remember(peer, agreements, agreedAt) {
      await client.json('PUT', '/agreements', { body: { peer, agreedAt, agreements } })
    },
    apply: (written) => sendPackage(client, written),
    release: (id) => get<ItemName[]>(`/releases/${id}`),
  }
}
