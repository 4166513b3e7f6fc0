import { createMailbox, type Log } from '../../kernel/index.ts'
import type { Config } from '../config/config.ts'
import type { AuditLog } from './audit-log.ts'
import { retentionDays } from './settings.ts'

const everyMs = 15 * 60_000
const dayMs = 86_400_000

/** Deletes entries that are older than the setting says. */
export async function pruneOnce(log: AuditLog, config: Config, signal?: AbortSignal): Promise<number> {
  const days = config.get(retentionDays)
  return days === 0 ? 0 : log.prune(new Date(Date.now() - days * dayMs).toISOString(), signal)
}

/** Does so now and then, while nothing keeps the process alive for it; the answer ends that. */
export function pruneRegularly(auditLog: AuditLog, config: Config, log: Log): () => Promise<void> {
  const pruning = createMailbox()
  const stopping = new AbortController()
  const timer = setInterval(() => {
    pruning
      .run(() => pruneOnce(auditLog, config, stopping.signal))
      .catch((error) =>
        log.warn({ err: error }, 'old entries of the audit log could not be deleted; trying again'),
      )
  }, everyMs)
  timer.unref()
  return () => {
    clearInterval(timer)
    stopping.abort()
    return pruning.idle()
  }
}
