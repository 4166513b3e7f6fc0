import type { Release, ReleaseAction, ReleaseCheck, ReleaseStatus, WholeRelease } from './answers.ts'
import type { Client } from './client.ts'
import { queryString } from './query-string.ts'

interface Cancelling {
  readonly signal?: AbortSignal
}

export interface ReleaseFilter {
  /** `open`: not published. */
  readonly status?: ReleaseStatus | 'open'
  /** `article:7` */
  readonly entry?: string
  readonly limit?: number
  readonly offset?: number
}

/** The releases of the service. */
export interface Releases {
  /** Newest first. */
  list(filter?: ReleaseFilter, options?: Cancelling): Promise<readonly Release[]>
  get(id: number, options?: Cancelling): Promise<WholeRelease>
  create(release: { readonly name: string; readonly scheduledAt?: string | null }): Promise<Release>
  update(
    id: number,
    change: { readonly name?: string; readonly scheduledAt?: string | null },
  ): Promise<Release>
  delete(id: number): Promise<Release>
  /** Adds entries of a type, or changes what the release does to them. */
  put(
    id: number,
    entries: {
      readonly contentType: string
      readonly entryIds: readonly number[]
      readonly action?: ReleaseAction
    },
  ): Promise<{ readonly added: number; readonly changed: number }>
  remove(id: number, itemId: number): Promise<{ readonly id: number }>
  check(id: number, options?: Cancelling): Promise<ReleaseCheck>
  publish(id: number): Promise<Release>
}

/** Makes the access to the releases. */
export function createReleases({ send }: Pick<Client<never>, 'send'>): Releases {
  const path = '/admin/content-releases'
  return {
    list: (filter = {}, options) => send('GET', `${path}${queryString({ ...filter })}`, options),
    get: (id, options) => send('GET', `${path}/${id}`, options),
    create: (body) => send('POST', path, { body }),
    update: (id, body) => send('PUT', `${path}/${id}`, { body }),
    delete: (id) => send('DELETE', `${path}/${id}`),
    put: (id, body) => send('PUT', `${path}/${id}/entries`, { body }),
    remove: (id, itemId) => send('DELETE', `${path}/${id}/entries/${itemId}`),
    check: (id, options) => send('POST', `${path}/${id}/check`, options),
    publish: (id) => send('POST', `${path}/${id}/publish`),
  }
}
