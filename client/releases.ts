import type { Client } from './client.ts'
import type { Releases } from './planning.ts'
import { queryString } from './query-string.ts'

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
