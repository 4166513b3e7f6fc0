import type { Config } from '../../../foundation/config/config.ts'
import type { Route } from '../../../foundation/http/http.ts'
import { isMediaKey, keyIn } from '../media-key.ts'
import { baseUrl } from '../settings.ts'

/** The paths at which files are served, for routes with the parameter `filename`. */
export type FilePlaces = Required<Pick<Route, 'path' | 'mountedAt' | 'alsoAt'>>

/** Converts between the storage keys of files and their addresses. */
export interface Addresses {
  /** The part of an address before the file name. */
  readonly base: string
  /** The current address of a file. */
  urlOf(key: string): string
  /** The key in an address that this service gives or once gave to a file; undefined for other addresses. */
  keyIn(url: string): string | undefined
  readonly route: FilePlaces
}

const defaultPath = '/uploads'

/** Matches only names that this service generates, so that other requests below a former path still reach its present owner. */
const anyKey = ':filename(^[0-9a-f]{32}[a-z0-9_.]+$)'

/** The default base follows the API prefix. If the base is a CDN's address, files are also served at the default path. */
export function createAddresses(
  config: Config,
  apiPrefix: string,
  knownBases: () => readonly string[],
): Addresses {
  const byDefault = `${apiPrefix}${defaultPath}`
  const base = config.sourceOf(baseUrl) === 'default' ? byDefault : config.get(baseUrl)
  const path = isPath(base) ? base : byDefault
  const bases = () => new Set([base, byDefault, ...knownBases()])
  const formerPaths = () => [...bases()].filter((each) => isPath(each) && each !== path)
  return {
    base,
    urlOf: (key) => `${base}/${key}`,
    keyIn(url) {
      const key = keyIn(url)
      return isMediaKey(key) && bases().has(url.slice(0, -key.length - 1)) ? key : undefined
    },
    route: {
      ...placeOf(path, apiPrefix),
      alsoAt: () => formerPaths().map((former) => `${former}/${anyKey}`),
    },
  }
}

const isPath = (base: string): boolean => base.startsWith('/')

function placeOf(path: string, apiPrefix: string): Pick<FilePlaces, 'path' | 'mountedAt'> {
  return path.startsWith(`${apiPrefix}/`)
    ? { path: `${path.slice(apiPrefix.length)}/:filename`, mountedAt: 'api' }
    : { path: `${path}/:filename`, mountedAt: 'root' }
}
