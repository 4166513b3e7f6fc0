import { defineSetting } from '../config/config.ts'

const maxDelayMs = 24 * 60 * 60_000
const maxRetries = 20

export const retryDelays = defineSetting<readonly number[]>({
  key: 'webhooks.retry.delays',
  tier: 'runtime',
  type: 'json',
  default: [1_000, 5_000, 25_000, 125_000],
  label: 'Pauses between attempts',
  description:
    'Milliseconds to wait before each further attempt at a delivery that failed; one number a retry',
  check: (value: unknown) =>
    isDelays(value)
      ? undefined
      : {
          severity: 'fatal',
          message: `is not an array of at most ${maxRetries} whole numbers from 0 to ${maxDelayMs}`,
          remedy: 'write milliseconds, e.g. [1000, 5000, 25000, 125000]',
        },
})

function isDelays(value: unknown): boolean {
  const isDelay = (delay: unknown) => Number.isSafeInteger(delay) && Number(delay) >= 0
  return (
    Array.isArray(value) &&
    value.length <= maxRetries &&
    value.every((delay) => isDelay(delay) && delay <= maxDelayMs)
  )
}

export const retryJitter = defineSetting<number>({
  key: 'webhooks.retry.jitterPercent',
  tier: 'runtime',
  type: 'integer',
  default: 20,
  min: 0,
  max: 100,
  label: 'Spread of the pauses',
  description:
    'By how many per cent a pause is made longer at random, so that retries do not come all at once',
})

export const attemptTimeoutMs = defineSetting<number>({
  key: 'webhooks.timeoutMs',
  tier: 'runtime',
  type: 'integer',
  default: 10_000,
  min: 10,
  max: 60_000,
  label: 'Time for an answer',
  description: 'Milliseconds within which a receiver has to answer an attempt',
})

export const maxConsecutiveFailures = defineSetting<number>({
  key: 'webhooks.maxConsecutiveFailures',
  tier: 'runtime',
  type: 'integer',
  default: 20,
  min: 1,
  max: 1_000_000,
  label: 'Dead deliveries before a webhook is disabled',
  description: 'So many dead deliveries in a row disable a webhook and raise an alert',
})

export const logRetentionDays = defineSetting<number>({
  key: 'webhooks.logRetentionDays',
  tier: 'runtime',
  type: 'integer',
  default: 30,
  min: 1,
  max: 3650,
  label: 'Age of delivery logs',
  description: 'Days for which deliveries are kept, dead ones included; unfinished ones are kept in any case',
})

export const allowPrivateNetworks = defineSetting<boolean>({
  key: 'webhooks.allowPrivateNetworks',
  tier: 'infrastructure',
  type: 'boolean',
  default: false,
  label: 'Private receivers',
  description:
    'Lets webhooks reach private and loopback addresses in production; in development they always may',
})

/** All of them, to be contributed. */
export const webhookSettings = [
  retryDelays,
  retryJitter,
  attemptTimeoutMs,
  maxConsecutiveFailures,
  logRetentionDays,
  allowPrivateNetworks,
]
