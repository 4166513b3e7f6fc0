import { Type } from 'typebox'
import { defineJob, type Job, type JobContext, type JobKind } from '../../background/jobs/jobs.ts'
import type { Config } from '../../foundation/config/config.ts'
import type { Sender } from '../../foundation/outgoing/outgoing.ts'
import type { DeliveryOutcomes } from './delivery-outcome.ts'
import type { DeliveryStore, OpenDelivery } from './delivery-store.ts'
import { messageOf } from './message.ts'
import type { ReceivingRights } from './receiving-rights.ts'
import { attemptTimeoutMs, retryDelays, retryJitter } from './settings.ts'

/** Refers to a delivery by its uid. */
export interface DeliveryJob {
  readonly delivery: string
}

export interface DeliveryJobOptions {
  readonly config: Config
  readonly deliveries: DeliveryStore
  readonly outcomes: DeliveryOutcomes
  readonly sender: Sender
  readonly rights: ReceivingRights
}

/** Per process; waiting for receivers costs hardly anything. */
const concurrency = 128
const concurrencyPerHost = 32
/** For the work around an attempt; the attempt itself is limited by `webhooks.timeoutMs`. */
const jobTimeoutMs = 120_000

/**
 * One attempt at a delivery. The delivery counts attempts and ends as delivered or dead; its job succeeds in
 * either case, and is retried by throwing an error.
 */
export function createDeliveryJob(options: DeliveryJobOptions): JobKind<DeliveryJob> {
  const { config, deliveries, outcomes, sender, rights } = options

  /** The reason why it must no longer be sent, if there is one. */
  async function objectionTo({ enabled, origin, madeBy, contentType }: OpenDelivery) {
    if (!enabled && origin === 'change') return 'the webhook was disabled; enable it and replay the delivery'
    if (await rights.makerMayReceive(madeBy, contentType)) return undefined
    return `whoever set the webhook up may not read ${contentType} any more; save its address anew and replay the delivery`
  }

  async function run({ delivery: uid }: DeliveryJob, { signal }: Pick<JobContext, 'signal'>) {
    const delivery = await deliveries.open(uid)
    if (delivery === undefined) {
      await deliveries.giveUp(uid, 'the webhook was deleted')
      return { status: 'gone' }
    }
    if (delivery.status === 'delivered' || delivery.status === 'dead') return { status: delivery.status }
    const objection = await objectionTo(delivery)
    if (objection !== undefined) {
      await deliveries.giveUp(uid, objection)
      return { status: 'dead' }
    }
    const message = messageOf(delivery)
    const { url } = delivery
    const attempt = await sender.send({ url, message, timeoutMs: config.get(attemptTimeoutMs), signal })
    const isLast = delivery.attempt >= config.get(retryDelays).length
    const status = await outcomes.record({ delivery, message, attempt, isLast })
    if (status === 'retrying') throw new Error(attempt.error ?? 'the attempt failed')
    return { status, ...(attempt.error === null ? {} : { error: attempt.error }) }
  }

  return defineJob({
    name: 'webhooks.deliver',
    payload: Type.Object({ delivery: Type.String() }),
    concurrency,
    laneConcurrency: concurrencyPerHost,
    timeoutMs: jobTimeoutMs,
    retryDelayMs: (attempts) => retryDelayMs(config, attempts),
    run,
    async onGivenUp({ delivery }: DeliveryJob, job: Job) {
      await deliveries.giveUp(delivery, job.error ?? 'the job was cancelled')
    },
  })
}

/** The pause after a number of failed attempts, with jitter. */
export function retryDelayMs(config: Config, attempts: number): number {
  const delays = config.get(retryDelays)
  const delayMs = delays[Math.min(attempts, delays.length) - 1] ?? 0
  return Math.round(delayMs * (1 + (Math.random() * config.get(retryJitter)) / 100))
}
