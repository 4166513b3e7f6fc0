import type { Config } from '../../foundation/config/config.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'
import { defaultLimit, maxLimit } from './settings.ts'

/** How many entries a page of a list has. */
export interface PageLimits {
  /** Used if the request sets no limit; never more than `maxLimit`. */
  readonly defaultLimit: number
  /** A larger limit in a request is reduced to this one. */
  readonly maxLimit: number
}

/** The limits under the current settings. A type's own default takes precedence over the default of the settings. */
export function pageLimitsOf(type: ContentType | undefined, config: Config): PageLimits {
  const most = config.get(maxLimit)
  return {
    defaultLimit: Math.min(type?.options.pagination?.defaultLimit ?? config.get(defaultLimit), most),
    maxLimit: most,
  }
}
