import { definePlugin } from '../../../kernel/index.ts'
import { authService } from '../../accounts/auth/auth.ts'
import { auditService } from '../../background/audit/audit.ts'
import { releasesService } from '../../editing/releases/releases.ts'
import { unpublishTimesService } from '../../editing/unpublish-times/unpublish-times.ts'
import { contentQueriesService, contentService, storedEntriesService } from '../../entries/content/content.ts'
import { databaseService } from '../../foundation/database/database.ts'
import { routes } from '../../foundation/http/http.ts'
import { schemasService } from '../../foundation/schemas/schemas.ts'
import { createCalendar } from './calendar.ts'
import { calendarRoutes } from './calendar-routes.ts'
import { createFutureChanges } from './future-changes.ts'
import { overviewRoutes } from './routes.ts'
import { createFindDue, createScheduled } from './scheduled.ts'

/** Data for the editors' home page: recently written entries, and upcoming publications. */
export const planningPlugin = definePlugin({
  name: 'planning',
  description: 'Tells admin users which entries were written last, and what becomes public next',
  uses: {
    auth: authService,
    content: contentService,
    contentQueries: contentQueriesService,
    database: databaseService,
    schemas: schemasService,
    storedEntries: storedEntriesService,
  },
  usesIfPresent: {
    audit: auditService,
    releases: releasesService,
    unpublishTimes: unpublishTimesService,
  },

  init({ services, contribute }) {
    const findDue = createFindDue(services)
    const findScheduled = createScheduled(findDue, services.releases)
    const findCalendar = createCalendar(findDue, services)
    const findChanges = createFutureChanges(findDue, services)
    for (const route of overviewRoutes({ ...services, findScheduled })) contribute(routes, route)
    for (const route of calendarRoutes({ findCalendar, findChanges })) contribute(routes, route)
  },
})
