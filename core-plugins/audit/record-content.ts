import { isForGood, type WriteStage } from '../content/content.ts'
import { untilCommit } from '../database/database.ts'
import type { AuditRecord } from './audit.ts'
import type { AuditLog } from './audit-log.ts'

/** Records writes of entries in their transactions, all writes of a transaction together. */
export function recordContent(log: AuditLog): WriteStage {
  const record = untilCommit<AuditRecord>((records, tx) => log.recordSoon(records, tx))
  return {
    name: 'audit: record writes',
    matches: () => true,
    async run(context, next) {
      const entry = await next()
      if (context.outcome.event === undefined) return entry
      const { operation, principal, type, ip, tx } = context
      const resource = `${type.name}:${entry.id}`
      const action = isForGood(context) && type.options.softDelete ? 'purge' : operation
      record(tx, { action: `content.${action}`, principal, resource, ip })
      return entry
    },
  }
}
