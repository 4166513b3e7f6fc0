import { definePlugin } from '../../../kernel/index.ts'
import { authService } from '../../accounts/auth/auth.ts'
import { emailService } from '../../accounts/email/email.ts'
import { jobKinds, jobsService } from '../../background/jobs/jobs.ts'
import { defineSchedule, schedules, schedulesService } from '../../background/schedules/schedules.ts'
import { configService } from '../../foundation/config/config.ts'
import { databaseService, tables } from '../../foundation/database/database.ts'
import { routes } from '../../foundation/http/http.ts'
import { schemasService } from '../../foundation/schemas/schemas.ts'
import { notifiers } from '../discussion/discussion.ts'
import { inboxService } from '../inbox/inbox.ts'
import { createDigestJob, createDueJob } from './digest-jobs.ts'
import { createImmediateJob, createNotifier } from './immediate.ts'
import { createLetters } from './letters.ts'
import { createPendingStore } from './pending-store.ts'
import { createPreferenceStore } from './preference-store.ts'
import { preferenceRoutes } from './routes.ts'
import { pendingTable, preferencesTable } from './tables.ts'

/** Mails to admin users about news in their inboxes, for users who want them. */
export const notificationsPlugin = definePlugin({
  name: 'notifications',
  description:
    'Tells admin users by mail what is new in their inboxes: at once or in a digest, if they want it',
  uses: {
    auth: authService,
    config: configService,
    database: databaseService,
    jobs: jobsService,
    schemas: schemasService,
  },
  // Without the inbox there is no news, and without mail or schedules no way to send it.
  usesIfPresent: { inbox: inboxService, email: emailService, schedules: schedulesService },

  register({ contribute }) {
    for (const table of [preferencesTable, pendingTable]) contribute(tables, table.spec)
  },

  init({ services, contribute }) {
    const { auth, config, database, jobs, schemas, inbox, email } = services
    if (inbox === undefined || email === undefined) return
    const store = createPreferenceStore(database)
    const pending = createPendingStore(database)
    const letters = createLetters(config, schemas)
    const parts = { database, auth, inbox, email, letters, store }
    const digest = createDigestJob(parts)
    const due = createDueJob({ ...parts, jobs, sending: digest })
    const immediate = createImmediateJob({ ...parts, pending })
    for (const kind of [digest, due, immediate]) contribute(jobKinds, kind)
    contribute(notifiers, createNotifier({ ...parts, pending, jobs, sending: immediate }))
    contribute(
      schedules,
      // Every quarter of an hour, since some time zones are offset by quarters.
      defineSchedule({ name: due.name, kind: due, payload: {}, cronExpression: '*/15 * * * *' }),
    )
    const sendsDigests = services.schedules !== undefined
    for (const route of preferenceRoutes({ store, inbox, email, sendsDigests })) contribute(routes, route)
  },
})
