import { appStart, appStop, assertUniqueNames, definePlugin } from '../../../kernel/index.ts'
import { configService, settings } from '../../foundation/config/config.ts'
import { databaseService, tables } from '../../foundation/database/database.ts'
import { routes } from '../../foundation/http/http.ts'
import { metricSources } from '../../foundation/metrics/metrics.ts'
import { redisService } from '../../foundation/redis/redis.ts'
import { signalsService } from '../../foundation/signals/signals.ts'
import { composeJobs } from './compose-jobs.ts'
import { jobMetrics } from './job-metrics.ts'
import { jobFailed, jobKinds, jobsService } from './jobs.ts'
import { jobSettings } from './settings.ts'
import { jobsTable } from './tables.ts'

/**
 * Work that outlives a request: created in the transaction of its cause, run by one process, retried on failure.
 * @param runs the kinds that this process runs, independent of its role; default: all, if its role is to run jobs
 */
export const createJobsPlugin = (runs?: readonly string[]) =>
  definePlugin({
    name: 'jobs',
    description:
      'Runs work that outlives a request: durable, in order, tried again, over any number of processes',
    uses: { config: configService, database: databaseService },
    usesIfPresent: { signals: signalsService, redis: redisService },
    provides: [jobsService],
    points: [jobKinds],
    hooks: [jobFailed],

    register({ contribute }) {
      for (const setting of jobSettings) contribute(settings, setting)
      contribute(tables, jobsTable.spec)
    },

    init(context) {
      const { contribute, on, onDispose, provide } = context
      const { jobs, routes: jobRoutes, start, stopClaiming, stop } = composeJobs(context, runs)
      provide(jobsService, jobs)
      for (const route of jobRoutes) contribute(routes, route)
      for (const source of jobMetrics(jobs)) contribute(metricSources, source)
      on(appStart, start, { step: 'run' })
      // Before HTTP drains, so that running jobs have as much time to finish as the last requests.
      on(appStop, stopClaiming, { before: ['http'] })
      onDispose(stop)
    },

    boot({ contributionsByPlugin }) {
      assertUniqueNames('job kind', contributionsByPlugin(jobKinds))
    },
  })

export const jobsPlugin = createJobsPlugin()
