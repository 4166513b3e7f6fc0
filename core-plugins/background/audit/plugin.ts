import { definePlugin } from '../../../kernel/index.ts'
import { configService, settings } from '../../foundation/config/config.ts'
import { databaseService, tables } from '../../foundation/database/database.ts'
import { adminMiddleware, routes } from '../../foundation/http/http.ts'
import { auditService } from './audit.ts'
import { createAuditLog } from './audit-log.ts'
import { pruneRegularly } from './prune.ts'
import { recordRequests } from './record-requests.ts'
import { createAuditRoute } from './routes.ts'
import { retentionDays } from './settings.ts'
import { auditTable } from './tables.ts'

/** The audit log: all actions of administrators, all writes of content, all logins. */
export const auditPlugin = definePlugin({
  name: 'audit',
  description: 'Keeps a log of who did what: admin requests, writes of content, logins',
  uses: { config: configService, database: databaseService },
  provides: [auditService],

  register({ contribute }) {
    contribute(settings, retentionDays)
    contribute(tables, auditTable.spec)
  },

  init(context) {
    const { services, provide, contribute, onDispose, log } = context
    const auditLog = createAuditLog(services.database)
    provide(auditService, auditLog)
    // Outermost, so that requests refused by other stages are not recorded.
    contribute(adminMiddleware, recordRequests(auditLog, log), { before: ['*'] })
    contribute(routes, createAuditRoute(auditLog))
    onDispose(pruneRegularly(auditLog, services.config, log).stop)
  },
})
