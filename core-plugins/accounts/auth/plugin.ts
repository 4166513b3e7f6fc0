import { appStart, definePlugin, repeat } from '../../../kernel/index.ts'
import { alertsService } from '../../background/alerts/alerts.ts'
import { auditService } from '../../background/audit/audit.ts'
import { jobKinds } from '../../background/jobs/jobs.ts'
import { schedules } from '../../background/schedules/schedules.ts'
import { configService, settings } from '../../foundation/config/config.ts'
import { databaseService, schemaRecordService, tables } from '../../foundation/database/database.ts'
import { authenticators, policies, routeGuards, routes } from '../../foundation/http/http.ts'
import { schemasService } from '../../foundation/schemas/schemas.ts'
import { transferSections } from '../../foundation/sections/sections.ts'
import {
  invitationAccepted,
  loggedIn,
  loggedOut,
  loginFailed,
  passwordChanged,
  passwordForgotten,
} from './accounts/account-hooks.ts'
import { accountWrites } from './accounts/account-writes.ts'
import { adminRecoveryService } from './accounts/admin-recovery-service.ts'
import { takenAddressMail } from './accounts/taken-address-mail.ts'
import { authService } from './auth-service.ts'
import { composeAuth } from './compose-auth.ts'
import { passwordLinkMail } from './passwords/password-link-mail.ts'
import { passwordReset, passwordResetDelivery } from './passwords/password-reset-delivery.ts'
import { routeGuard } from './roles/route-guard.ts'
import { recordSessions } from './sessions/record-sessions.ts'
import { authSettings } from './settings.ts'
import { contentUserSignInService } from './sign-in/content-user-sign-in-service.ts'
import { authTables } from './tables.ts'

const maintenanceEveryMs = 10 * 60_000

/** Authentication and authorization: accounts, sessions, roles and API tokens. */
export const authPlugin = definePlugin({
  name: 'auth',
  description: 'Admin users, content users, roles and API tokens: signs in, and decides who may do what',
  uses: {
    config: configService,
    database: databaseService,
    schemaRecord: schemaRecordService,
    schemas: schemasService,
  },
  usesIfPresent: { alerts: alertsService, audit: auditService },
  provides: [authService, contentUserSignInService, adminRecoveryService],
  points: [accountWrites, passwordResetDelivery, passwordLinkMail, takenAddressMail],
  hooks: [
    ...[loggedIn, loginFailed, loggedOut, passwordChanged, passwordForgotten, invitationAccepted],
    passwordReset,
  ],

  register({ contribute }) {
    for (const setting of authSettings) contribute(settings, setting)
    for (const table of authTables) contribute(tables, table)
    contribute(routeGuards, routeGuard)
  },

  init(context) {
    const { services, contribute, provide, on, log, onDispose } = context
    const parts = composeAuth(context)
    provide(authService, parts.auth)
    provide(adminRecoveryService, parts.adminRecovery)
    provide(contentUserSignInService, parts.contentUserSignIn)
    contribute(authenticators, parts.authenticator)
    for (const policy of parts.policies) contribute(policies, policy)
    for (const route of parts.routes) contribute(routes, route)
    contribute(transferSections, parts.roleSection)
    contribute(jobKinds, parts.expiryWarnings.job)
    contribute(schedules, parts.expiryWarnings.schedule)
    if (services.audit !== undefined) recordSessions(services.audit, context)
    const maintenance = repeat(parts.maintain, {
      everyMs: maintenanceEveryMs,
      onError: (error) =>
        log.warn({ err: error }, 'failed to remove expired tokens or to compare usernames; retrying'),
    })
    // At the start, since the tables exist once all plugins have booted, and before the first request.
    const load = async () => {
      await parts.start()
      maintenance.runNow()
    }
    on(appStart, load, { step: 'load' })
    onDispose(maintenance.stop)
  },
})
