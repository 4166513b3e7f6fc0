import type { Config } from '../../foundation/config/config.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'
import { defaultLimit, maxLimit } from './settings.ts'

/** How many entries a page of a list has. */
export interface PageLimits {
  /** If the request sets no limit; never more than `maxLimit`. */
  readonly defaultLimit: number
  /** A larger limit in a request is reduced to this one. */
  readonly maxLimit: number
}

/** Under the current settings. The default of a type takes precedence over that of the settings. */
export function pageLimitsOf(type: ContentType | undefined, config: Config): PageLimits {
  const most = config.get(maxLimit)
  return {
    defaultLimit: Math.min(type?.options.pagination?.defaultLimit ?? config.get(defaultLimit), most),
    maxLimit: most,
  }
}
