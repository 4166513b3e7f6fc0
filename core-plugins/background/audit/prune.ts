import { type Log, type Repetition, repeat } from '../../../kernel/index.ts'
import type { Config } from '../../foundation/config/config.ts'
import type { AuditLog } from './audit-log.ts'
import { retentionDays } from './settings.ts'

const everyMs = 15 * 60_000
const dayMs = 86_400_000

/** Periodically deletes entries that are older than the setting allows. */
export function pruneRegularly(auditLog: AuditLog, config: Config, log: Log): Repetition {
  return repeat(
    (signal) => {
      const days = config.get(retentionDays)
      if (days > 0) return auditLog.prune(new Date(Date.now() - days * dayMs).toISOString(), signal)
    },
    {
      everyMs,
      onError: (error) =>
        log.warn({ err: error }, 'old entries of the audit log could not be deleted; trying again'),
    },
  )
}
