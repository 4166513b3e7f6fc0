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
  /** Both may be switched off. */
  readonly live: Live | undefined
  readonly changes: ChangeLog | undefined
}

/** Whether there is anything to subscribe to. */
export function hasSubscriptions({ config, live, changes }: SubscriptionServices): boolean {
  return live !== undefined && changes !== undefined && config.get(subscriptions)
}

/** Undefined where there is nothing to subscribe to. */
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
