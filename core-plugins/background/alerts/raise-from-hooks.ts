import { pluginErred, pluginFailed, pluginsStarted, type RegisterContext } from '../../../kernel/index.ts'
import { schemaSynced } from '../../foundation/database/database.ts'
import { redisProblemsChanged } from '../../foundation/redis/redis.ts'
import { roomChanged } from '../../foundation/room/room.ts'
import { jobFailed } from '../jobs/jobs.ts'
import type { AlertStore } from './alert-store.ts'
import type { Alerts } from './alerts.ts'

const maxChanges = 50
const maxErrorLength = 1_000

/** Raises alerts from the hooks of other plugins, which exist whether or not those plugins are on. */
export function raiseFromHooks(alerts: Alerts, store: AlertStore, { on }: Pick<RegisterContext, 'on'>): void {
  on(schemaSynced, ({ blocked }) => {
    if (blocked.length === 0) return alerts.resolve('schema_sync_blocked')
    return alerts.raise({
      kind: 'schema_sync_blocked',
      severity: 'warning',
      message:
        'the database is not as the schemas say, since changing it could lose data: ' +
        'see /database/preview, and apply it with /database/safe-sync',
      details: { pending: blocked.length, changes: blocked.slice(0, maxChanges) },
    })
  })

  on(roomChanged, ({ store, message, details, error }) => {
    if (error === undefined) return alerts.resolve('storage_low', store)
    return alerts.raise({
      kind: 'storage_low',
      subject: store,
      severity: 'critical',
      message,
      details: { ...details, error: messageOf(error).slice(0, maxErrorLength) },
    })
  })

  on(redisProblemsChanged, ({ problems }) => {
    if (problems.length === 0) return alerts.resolve('redis_refused')
    return alerts.raise({
      kind: 'redis_refused',
      severity: 'warning',
      message: `Redis is not used: ${problems.map(({ what, remedy }) => `${what}; ${remedy}`).join('. ')}`,
      details: { problems },
    })
  })

  on(jobFailed, ({ job: { id, name, attempts, error } }) =>
    alerts.raise({
      kind: 'job_failed',
      subject: name,
      severity: 'warning',
      message: `a job ${name} has failed for good: mend the cause and retry it`,
      details: { job: id, name, attempts, error: error?.slice(0, maxErrorLength) ?? null },
    }),
  )

  on(pluginFailed, ({ plugin, reason }) =>
    alerts.raise({
      kind: 'plugin_failed',
      subject: plugin,
      severity: 'warning',
      message: `the plugin ${plugin} ${reason}; it is switched off until the next start`,
      details: { plugin, reason },
    }),
  )

  on(pluginsStarted, ({ plugins }) => store.resolveAmong('plugin_failed', plugins))

  on(pluginErred, ({ plugin, where, error }) =>
    alerts.raise({
      kind: 'plugin_error',
      subject: plugin,
      severity: 'warning',
      message: `the plugin ${plugin} throws errors: see the log, and mend it or switch it off`,
      details: { plugin, where, error: messageOf(error).slice(0, maxErrorLength) },
    }),
  )
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
