import type { MediaFolder } from './answers.ts'
import type { Client } from './client.ts'

/** A folder with those inside it, by name. */
export interface MediaFolderNode {
  readonly id: number
  readonly name: string
  /** The folder that contains it; null at the top. */
  readonly parent: number | null
  readonly children: readonly MediaFolderNode[]
}

/** The folders of the media library. */
export interface MediaFolders {
  tree(options?: { readonly signal?: AbortSignal }): Promise<readonly MediaFolderNode[]>
  create(folder: { readonly name: string; readonly parent?: number | null }): Promise<MediaFolder>
  update(
    id: number,
    change: { readonly name?: string; readonly parent?: number | null },
  ): Promise<MediaFolder>
  /** @throws MortiseError 409 unless it is empty */
  delete(id: number): Promise<MediaFolder>
}

/** Makes the access to the folders. */
export function createMediaFolders({ send }: Pick<Client<never>, 'send'>): MediaFolders {
  const path = '/media-folders'
  return {
    tree: (options) => send('GET', `${path}/tree`, options),
    create: (body) => send('POST', path, { body }),
    update: (id, body) => send('PUT', `${path}/${id}`, { body }),
    delete: (id) => send('DELETE', `${path}/${id}`),
  }
}
