import { appStart, appStop, definePlugin } from '../../../kernel/index.ts'
import { configService, role } from '../../foundation/config/config.ts'
import { databaseService, tables } from '../../foundation/database/database.ts'
import { routes } from '../../foundation/http/http.ts'
import { jobsService } from '../jobs/jobs.ts'
import { assertSchedules } from './assert-schedules.ts'
import { createClock } from './clock.ts'
import { createPlanner } from './planner.ts'
import { createScheduleRoutes } from './routes.ts'
import { createScheduleStore } from './schedule-store.ts'
import { schedules, schedulesService } from './schedules.ts'
import { schedulesTable } from './tables.ts'

/** Creates jobs at the times of cron expressions: each tick once across all processes, missed ticks once. */
export const schedulesPlugin = definePlugin({
  name: 'schedules',
  description: 'Makes jobs at the times of cron expressions, once over all processes',
  uses: { config: configService, database: databaseService, jobs: jobsService },
  provides: [schedulesService],
  points: [schedules],

  register({ contribute }) {
    contribute(tables, schedulesTable.spec)
  },

  init({ services, provide, contribute, contributions, on, log }) {
    const { config, database, jobs } = services
    const store = createScheduleStore(database)
    const planner = createPlanner({ database, jobs, store, schedules: () => contributions(schedules) })
    const clock = createClock(planner, log)
    provide(schedulesService, {
      get: (name) => planner.findByName(name),
      change: async (name, change) => planner.change((await planner.findByName(name)).id, change),
    })
    for (const route of createScheduleRoutes(planner)) contribute(routes, route)
    // Before HTTP listens, so that every schedule has its row at the first request.
    on(appStart, () => planner.prepare(), { step: 'prepare', before: ['*'] })
    on(appStart, () => {
      if (config.get(role) !== 'web') clock.start()
    })
    on(appStop, () => clock.stop(), { before: ['http'] })
  },

  boot({ contributionsByPlugin }) {
    assertSchedules(contributionsByPlugin(schedules))
  },
})
