import type { Audit, AuditRecord } from '../../../background/audit/audit.ts'
import { untilCommit } from '../../../foundation/database/database.ts'
import { isForGood } from '../write-context.ts'
import type { WriteStage } from '../write-middleware.ts'

/** Records writes of entries in the audit log, in their transactions, all writes of a transaction together. */
export function recordWrites(audit: Audit): WriteStage {
  const record = untilCommit<AuditRecord>((records, tx) => audit.recordSoon(records, tx))
  return {
    name: 'content: record writes',
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
