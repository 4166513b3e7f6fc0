import type { Config } from '../../../foundation/config/config.ts'
import type { Route } from '../../../foundation/http/http.ts'
import { isMediaKey, keyIn } from '../media-key.ts'
import { baseUrl } from '../settings.ts'

/** Where files are served, for routes with the parameter `filename`. */
export type FilePlaces = Required<Pick<Route, 'path' | 'mountedAt' | 'alsoAt'>>

/** Where files are served, and under which address they are known. */
export interface Addresses {
  /** What stands before the names of files. */
  readonly base: string
  /** The present address of a file. */
  urlOf(key: string): string
  /** The key in an address that this service gives files, or gave them; undefined for any other. */
  keyIn(url: string): string | undefined
  readonly route: FilePlaces
}

const defaultPath = '/uploads'

/** Names that this service gives. Nothing else below a former path is taken from whoever has it now. */
const anyKey = ':filename(^[0-9a-f]{32}[a-z0-9_.]+$)'

/** With another API prefix the default moves along; behind the address of a CDN files are served there, too. */
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
