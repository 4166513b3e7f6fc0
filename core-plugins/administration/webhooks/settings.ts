import { Type } from 'typebox'
import { defineSetting } from '../../foundation/config/config.ts'

const maxDelayMs = 24 * 60 * 60_000
const maxRetries = 20

export const retryDelays = defineSetting(
  'webhooks.retry.delays',
  Type.Unsafe<readonly number[]>({
    tier: 'runtime',
    default: [1_000, 5_000, 25_000, 125_000],
    title: 'Pauses between attempts',
    description:
      'Milliseconds to wait before each further attempt at a delivery that failed; one number a retry',
  }),
  (value: unknown) =>
    isDelays(value)
      ? undefined
      : {
          severity: 'fatal',
          message: `is not an array of at most ${maxRetries} whole numbers from 0 to ${maxDelayMs}`,
          remedy: 'write milliseconds, e.g. [1000, 5000, 25000, 125000]',
        },
)

function isDelays(value: unknown): boolean {
  const isDelay = (delay: unknown) => Number.isSafeInteger(delay) && Number(delay) >= 0
  return (
    Array.isArray(value) &&
    value.length <= maxRetries &&
    value.every((delay) => isDelay(delay) && delay <= maxDelayMs)
  )
}

export const retryJitter = defineSetting(
  'webhooks.retry.jitterPercent',
  Type.Integer({
    tier: 'runtime',
    default: 20,
    minimum: 0,
    maximum: 100,
    title: 'Spread of the pauses',
    description:
      'By how many per cent a pause is made longer at random, so that retries do not come all at once',
  }),
)

export const attemptTimeoutMs = defineSetting(
  'webhooks.timeoutMs',
  Type.Integer({
    tier: 'runtime',
    default: 10_000,
    minimum: 10,
    maximum: 60_000,
    title: 'Time for an answer',
    description: 'Milliseconds within which a receiver has to answer an attempt',
  }),
)

export const maxConsecutiveFailures = defineSetting(
  'webhooks.maxConsecutiveFailures',
  Type.Integer({
    tier: 'runtime',
    default: 20,
    minimum: 1,
    maximum: 1_000_000,
    title: 'Dead deliveries before a webhook is disabled',
    description: 'So many dead deliveries in a row disable a webhook and raise an alert',
  }),
)

export const logRetentionDays = defineSetting(
  'webhooks.logRetentionDays',
  Type.Integer({
    tier: 'runtime',
    default: 30,
    minimum: 1,
    maximum: 3650,
    title: 'Age of delivery logs',
    description:
      'Days for which deliveries are kept, dead ones included; unfinished ones are kept in any case',
  }),
)

export const allowPrivateNetworks = defineSetting(
  'webhooks.allowPrivateNetworks',
  Type.Boolean({
    tier: 'infrastructure',
    default: false,
    title: 'Private receivers',
    description:
      'Lets webhooks reach private and loopback addresses in production; in development they always may',
  }),
)

/** All settings of the plugin. */
export const webhookSettings = [
  retryDelays,
  retryJitter,
  attemptTimeoutMs,
  maxConsecutiveFailures,
  logRetentionDays,
  allowPrivateNetworks,
]
