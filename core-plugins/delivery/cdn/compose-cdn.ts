import { createHash } from 'node:crypto'
import { type InitContext, nearest, StartupError } from '../../../kernel/index.ts'
import type { Auth } from '../../accounts/auth/auth.ts'
import type { Alerts } from '../../background/alerts/alerts.ts'
import type { JobKind, Jobs } from '../../background/jobs/jobs.ts'
import type { AnswerValidity, ChangeLog } from '../../entries/changes/changes.ts'
import { type Config, settings } from '../../foundation/config/config.ts'
import type { Database } from '../../foundation/database/database.ts'
import { createAddressGuard, createSender, openGuard } from '../../foundation/outgoing/outgoing.ts'
import type { Schemas } from '../../foundation/schemas/schemas.ts'
import { type Purger, purgers } from './cdn.ts'
import { Purging } from './keep-purging.ts'
import { Labeller } from './labeller.ts'
import { LateAlert } from './late-alert.ts'
import { Pace } from './pace.ts'
import { createPurgeJob } from './purge-job.ts'
import { createPurgeStore } from './purge-store.ts'
import { sendPurge } from './send-purges.ts'
import {
  accessOf,
  accessSettings,
  allowPrivateNetworks,
  provider,
  purgesPerMinute,
  secondPurgeMs,
} from './settings.ts'
import { Tags } from './tags.ts'

type Context = InitContext<{
  readonly alerts: Alerts | undefined
  readonly auth: Auth
  readonly changes: ChangeLog
  readonly config: Config
  readonly database: Database
  readonly jobs: Jobs
  readonly schemas: Schemas
  readonly validity: AnswerValidity
}>

export interface CdnParts {
  readonly labeller: Labeller
  readonly job: JobKind
  /** Purges everything. */
  forget(): void
  start(): Promise<void>
  stop(): Promise<void>
}

/** Assembles the plugin for the configured CDN. @throws StartupError if settings are missing */
export function composeCdn(context: Context): CdnParts {
  const { services, contributions, log } = context
  const { alerts, auth, changes, config, database, jobs, schemas, validity } = services
  const purger = purgerOf(config, contributions(purgers))
  const key = auth.keyFor('cdn')
  const tags = new Tags(key)
  const store = createPurgeStore(database)
  const sender = createSender(guardOf(config))
  const pace = new Pace(() => config.get(purgesPerMinute) || purger.callsPerMinute)
  const sending = { sender, purger, access: accessOf(config), pace, tags }
  const job = createPurgeJob({
    ...{ log: changes, store, tags, late: new LateAlert(alerts) },
    send: (purge, position, signal) => sendPurge(purge, position, signal, sending),
    secondPurgeMs: () => config.get(secondPurgeMs),
  })
  const purging = new Purging({ changes, database, jobs, job, store, log })
  const labeller = new Labeller({ log: changes, validity, schemas, tags, purger })
  const forget = (): void => void purging.purgeEverything()
  return {
    labeller,
    job: job as JobKind,
    forget,
    async start() {
      labeller.start()
      const first = { epoch: changes.epoch, position: await changes.head() }
      await store.begin(first, fingerprintOf(purger, tags, schemas))
      await purging.start()
      auth.onRolesChange(forget)
      // It is unknown which settings a read depends on, so any change purges everything; such changes are rare.
      for (const setting of contributions(settings)) config.onChange(setting, forget)
    },
    async stop() {
      await purging.stop()
      await sender.close()
    },
  }
}

function purgerOf(config: Config, known: readonly Purger[]): Purger {
  const name = config.get(provider)
  const purger = known.find((each) => each.name === name)
  if (purger === undefined) {
    const names = known.map((each) => each.name)
    const like = nearest(name, names)
    const remedy = `set one of ${names.join(', ')}${like === undefined ? '' : `; did you mean ${like}?`}`
    throw new StartupError('the CDN is not known', [
      { subject: provider.key, message: `there is no ${JSON.stringify(name)}`, remedy },
    ])
  }
  const access = accessOf(config)
  const missing = purger.needs.filter((each) => access[each] === '')
  if (missing.length === 0) return purger
  throw new StartupError(
    'the CDN cannot be purged',
    missing.map((each) => ({
      subject: accessSettings[each].key,
      message: `is needed for ${name}, and is empty`,
    })),
  )
}

function guardOf(config: Config) {
  const isOpen = config.environment !== 'production' || config.get(allowPrivateNetworks)
  return isOpen ? openGuard : createAddressGuard({ allowedBy: allowPrivateNetworks.key })
}

/** Responses made with another fingerprint may be outdated or wrongly tagged. */
function fingerprintOf({ name }: Purger, tags: Tags, { types, components }: Schemas): string {
  const plain = (_: string, value: unknown) => (value instanceof Map ? [...value] : value)
  const text = JSON.stringify([name, tags.site, types, components], plain)
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
