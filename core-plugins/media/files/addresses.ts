import type { Config } from '../../config/config.ts'
import { baseUrl } from '../settings.ts'

/** Where files are served, and under which address they are known. */
export interface Addresses {
  /** The address of a file, as records have it. */
  urlOf(key: string): string
  readonly route: { readonly path: string; readonly mountedAt: 'api' | 'root' }
}

const defaultPath = '/uploads'

/** With another API prefix the default moves along; behind the address of a CDN files are served there, too. */
export function createAddresses(config: Config, apiPrefix: string): Addresses {
  const isDefault = config.sourceOf(baseUrl) === 'default'
  const base = isDefault ? `${apiPrefix}${defaultPath}` : config.get(baseUrl)
  return { urlOf: (key) => `${base}/${key}`, route: routeOf(base, apiPrefix) }
}

function routeOf(base: string, apiPrefix: string): Addresses['route'] {
  if (!base.startsWith('/')) return { path: `${defaultPath}/:filename`, mountedAt: 'api' }
  if (!base.startsWith(`${apiPrefix}/`)) return { path: `${base}/:filename`, mountedAt: 'root' }
  return { path: `${base.slice(apiPrefix.length)}/:filename`, mountedAt: 'api' }
}
