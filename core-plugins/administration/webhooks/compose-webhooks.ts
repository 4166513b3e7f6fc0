import type { InitContext } from '../../../kernel/index.ts'
import type { Auth } from '../../accounts/auth/auth.ts'
import type { Alerts } from '../../background/alerts/alerts.ts'
import type { JobKind, Jobs } from '../../background/jobs/jobs.ts'
import { defineSchedule, type Schedule } from '../../background/schedules/schedules.ts'
import type { Content, WriteStage } from '../../entries/content/content.ts'
import type { Config } from '../../foundation/config/config.ts'
import type { Database } from '../../foundation/database/database.ts'
import type { Route } from '../../foundation/http/http.ts'
import { createAddressGuard, createSender, openGuard } from '../../foundation/outgoing/outgoing.ts'
import type { Schemas } from '../../foundation/schemas/schemas.ts'
import type { TransferSection } from '../../foundation/sections/sections.ts'
import type { Signals } from '../../foundation/signals/signals.ts'
import { dispatchChanges } from './content-changes.ts'
import { createDeliveryJob } from './delivery-job.ts'
import { createDeliveryLog } from './delivery-log.ts'
import { createDeliveryOutcomes } from './delivery-outcome.ts'
import { createDeliveryRoutes } from './delivery-routes.ts'
import { createDeliveryStore } from './delivery-store.ts'
import { createAlertJob } from './disabled-alert.ts'
import { createDispatch } from './dispatch.ts'
import { createWebhookEvents } from './emit-events.ts'
import { keepFresh, webhooksTopic } from './keep-fresh.ts'
import { createKnownEvents } from './known-events.ts'
import { type WebhookEvents, webhookEvents } from './plugin-events.ts'
import { createForgettingJob, createPruningJob, pruningTimes } from './pruning.ts'
import { createPublicationJob, createPublicationTimes } from './publication-times.ts'
import { createReceivingRights } from './receiving-rights.ts'
import { createRedelivery } from './redelivery.ts'
import { allowPrivateNetworks } from './settings.ts'
import { createSubscriptions } from './subscriptions.ts'
import { createWebhookAdmin } from './webhook-admin.ts'
import { createWebhookRoutes } from './webhook-routes.ts'
import { webhookSection } from './webhook-section.ts'
import { createWebhookStore } from './webhook-store.ts'

export type WebhooksContext = Pick<
  InitContext<{
    readonly auth: Auth
    readonly config: Config
    readonly database: Database
    readonly schemas: Schemas
    readonly jobs: Jobs
    readonly content: Content | undefined
    readonly alerts: Alerts | undefined
    readonly signals: Signals | undefined
  }>,
  'services' | 'log' | 'contributions'
>

/** The assembled parts of the plugin. */
export interface WebhooksParts {
  readonly jobKinds: readonly JobKind<never>[]
  /** The schedule on which old deliveries are deleted. */
  readonly schedule: Schedule
  readonly stage: WriteStage
  readonly events: WebhookEvents
  readonly routes: readonly Route[]
  /** The webhooks in transfers. */
  readonly section: TransferSection
  /** Loads the webhooks now, when the tables exist, and periodically from then on. */
  start(): Promise<void>
  stop(): Promise<void>
}

/** Assembles the parts; runs no query before `start`. */
export function composeWebhooks({
  services,
  contributions,
  log: processLog,
}: WebhooksContext): WebhooksParts {
  const { auth, config, database, schemas, jobs, content, alerts, signals } = services
  const webhooks = createWebhookStore(database)
  const deliveries = createDeliveryStore(database)
  const log = createDeliveryLog(database)
  const rights = createReceivingRights(auth, schemas)
  const known = createKnownEvents(() => contributions(webhookEvents), rights)
  const subscriptions = createSubscriptions(() => webhooks.subscriptions(), rights.makerMayReceive)
  const guard = guardOf(config)
  const sender = createSender(guard)
  const alertJob = createAlertJob(alerts)
  const pruningJob = createPruningJob(database, config)
  const forgetting = createForgettingJob(database)

  async function onChanged(): Promise<void> {
    await subscriptions.reload()
    signals?.send(webhooksTopic)
  }

  const outcomes = createDeliveryOutcomes({
    ...{ config, database, deliveries, webhooks },
    async onDisabled(tx, { id: webhookId, name, consecutiveFailures: failures }) {
      await jobs.enqueue(tx, alertJob, { webhookId, name, failures })
      tx.afterCommit(onChanged)
    },
  })
  const deliveryJob = createDeliveryJob({ config, deliveries, outcomes, sender, rights })
  const dispatch = createDispatch(jobs, deliveryJob, { config, deliveries })
  const publicationJob = createPublicationJob({ database, content, subscriptions, deliveries, dispatch })
  const publications = createPublicationTimes(jobs, publicationJob)
  const admin = createWebhookAdmin({ database, webhooks, jobs, forgetting, alerts, onChanged })
  const redelivery = createRedelivery({ config, database, deliveries, log, outcomes, dispatch, sender })
  const administration = { auth, admin, webhooks, rights, known, guard }
  let stopReading = () => {}

  return {
    jobKinds: [deliveryJob, publicationJob, alertJob, pruningJob, forgetting],
    schedule: defineSchedule({
      name: pruningJob.name,
      kind: pruningJob,
      payload: {},
      cronExpression: pruningTimes,
    }),
    stage: dispatchChanges(subscriptions, dispatch, publications),
    events: createWebhookEvents(known, subscriptions, dispatch),
    section: webhookSection(administration),
    routes: [
      ...createWebhookRoutes(administration),
      ...createDeliveryRoutes({ admin, log, redelivery, rights }),
    ],
    async start() {
      await subscriptions.reload()
      stopReading = keepFresh(subscriptions, signals, processLog)
    },
    async stop() {
      stopReading()
      await sender.close()
    },
  }
}

/** In development, receivers run on the developer's machine. */
function guardOf(config: Config) {
  const isOpen = config.environment !== 'production' || config.get(allowPrivateNetworks)
  return isOpen ? openGuard : createAddressGuard({ allowedBy: allowPrivateNetworks.key })
}
