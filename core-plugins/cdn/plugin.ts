import { appStart, definePlugin } from '../../kernel/index.ts'
import { alertsService } from '../alerts/alerts.ts'
import { authService } from '../auth/auth.ts'
import { answerValidityService, changeLogService } from '../changes/changes.ts'
import { configService, settings } from '../config/config.ts'
import { databaseService, storedValuesChanged, tables } from '../database/database.ts'
import { answerLabellers } from '../http/http.ts'
import { jobKinds, jobsService } from '../jobs/jobs.ts'
import { schemasService } from '../schemas/schemas.ts'
import { purgers } from './cdn.ts'
import { composeCdn } from './compose-cdn.ts'
import { corePurgers } from './purgers/purgers.ts'
import { cdnSettings, provider } from './settings.ts'
import { cdnStateTable } from './tables.ts'

/** Lets a CDN keep answers, and tells it what to forget. Does nothing until `cdn.provider` is set. */
export const cdnPlugin = definePlugin({
  name: 'cdn',
  description: 'Lets a CDN keep answers for as long as types allow, and tells it what to forget',
  uses: {
    auth: authService,
    changes: changeLogService,
    config: configService,
    database: databaseService,
    jobs: jobsService,
    schemas: schemasService,
    validity: answerValidityService,
  },
  usesIfPresent: { alerts: alertsService },
  points: [purgers],

  register({ contribute }) {
    for (const setting of cdnSettings) contribute(settings, setting)
    for (const purger of corePurgers) contribute(purgers, purger)
    contribute(tables, cdnStateTable.spec)
  },

  init(context) {
    const { contribute, on, onDispose, services } = context
    if (services.config.get(provider) === '') return
    const parts = composeCdn(context)
    contribute(answerLabellers, parts.labeller)
    contribute(jobKinds, parts.job)
    on(storedValuesChanged, ({ isOwn }) => {
      if (isOwn) parts.forget()
    })
    on(appStart, parts.start)
    onDispose(parts.stop)
  },
})
