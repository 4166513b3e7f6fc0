import type { Auth } from '../../../accounts/auth/auth.ts'
import type { ChangeLog } from '../../../entries/changes/changes.ts'
import type { Config } from '../../../foundation/config/config.ts'
import { type Http, maxAnonymousBodySize } from '../../../foundation/http/http.ts'
import type { Schemas } from '../../../foundation/schemas/schemas.ts'
import type { Live } from '../../live/live.ts'
import { connectionInitTimeoutMs, maxSubscriptions, subscriptions } from '../settings.ts'
import { createAskEndpoint } from './ask-endpoint.ts'
import type { SubscriptionParts } from './subscriptions.ts'

export interface SubscriptionServices {
  readonly auth: Auth
  readonly config: Config
  readonly http: Http
  readonly schemas: Schemas
  /** Undefined if the plugin is switched off. */
  readonly live: Live | undefined
  readonly changes: ChangeLog | undefined
}

/** Whether subscriptions are available. */
export function hasSubscriptions({ config, live, changes }: SubscriptionServices): boolean {
  return live !== undefined && changes !== undefined && config.get(subscriptions)
}

/** Undefined if subscriptions are not available. */
export function composeSubscriptions(
  services: SubscriptionServices,
  { executor, logFailure }: Pick<SubscriptionParts, 'executor' | 'logFailure'>,
): SubscriptionParts | undefined {
  const { auth, config, http, schemas, live, changes } = services
  if (live === undefined || changes === undefined || !hasSubscriptions(services)) return undefined
  return {
    ...{ auth, executor, live, logFailure, typeNames: [...schemas.types.keys()] },
    ask: createAskEndpoint(http),
    cursorOf: (position) => changes.cursorOf(position),
    maxOfConnection: () => config.get(maxSubscriptions),
    initTimeoutMs: () => config.get(connectionInitTimeoutMs),
    maxAnonymousBytes: config.get(maxAnonymousBodySize),
  }
}
