import { Type } from 'typebox'
import type { Alerts } from '../../../background/alerts/alerts.ts'
import { defineJob, type JobKind } from '../../../background/jobs/jobs.ts'
import { defineSchedule, type Schedule } from '../../../background/schedules/schedules.ts'
import type { Config } from '../../../foundation/config/config.ts'
import { tokenWarningDays } from '../settings.ts'
import type { ApiToken } from '../tables.ts'
import type { ApiTokens } from './api-tokens.ts'

export interface ExpiryWarningsOptions {
  readonly apiTokens: ApiTokens
  readonly config: Config
  /** Undefined if the plugin `alerts` is off. */
  readonly alerts: Alerts | undefined
}

/** Warns operators before API tokens expire. */
export interface ExpiryWarnings {
  readonly job: JobKind<object>
  readonly schedule: Schedule
  /** Resolves the warning of a token whose expiry has changed or that was deleted. */
  endChanged(id: number): Promise<void>
}

const kind = 'api_token_expiring'
const dayMs = 24 * 60 * 60_000

/** Creates the warnings; a job raises them once a day. */
export function createExpiryWarnings({ apiTokens, config, alerts }: ExpiryWarningsOptions): ExpiryWarnings {
  async function endChanged(id: number): Promise<void> {
    await alerts?.resolve(kind, String(id))
  }

  async function warn(token: ApiToken): Promise<void> {
    const { id, name, expiresAt } = token
    await alerts?.raise({
      kind,
      severity: 'warning',
      subject: String(id),
      message: `The API token "${name}" expires at ${expiresAt}: rotate it with a later end, or delete it if nothing uses it`,
      details: { tokenId: id, name, expiresAt },
    })
    // The token may have been rotated or deleted meanwhile, before there was an alert to resolve.
    if ((await apiTokens.find(id))?.expiresAt !== expiresAt) await endChanged(id)
  }

  const job = defineJob({
    name: 'auth.warn-of-expiring-tokens',
    payload: Type.Object({}),
    async run() {
      const windowMs = config.get(tokenWarningDays) * dayMs
      const now = Date.now()
      const at = (ms: number) => new Date(ms).toISOString()
      const ending = await apiTokens.endingBetween(at(now), at(now + windowMs))
      const unexpected = ending.filter((token) => lifetimeMs(token) > windowMs)
      for (const token of unexpected) await warn(token)
      return { warnings: unexpected.length }
    },
  })
  const schedule = defineSchedule({ name: job.name, kind: job, payload: {}, cronExpression: '0 6 * * *' })
  return { job, schedule, endChanged }
}

/** Used to skip tokens with a short lifetime, whose makers know that they expire soon. */
function lifetimeMs({ createdAt, expiresAt }: ApiToken): number {
  return Date.parse(expiresAt ?? '') - Date.parse(createdAt)
}
