import { appStart, definePlugin } from '../../../kernel/index.ts'
import { authService } from '../../accounts/auth/auth.ts'
import { alertsService } from '../../background/alerts/alerts.ts'
import { jobKinds, jobsService } from '../../background/jobs/jobs.ts'
import { answerValidityService, changeLogService } from '../../entries/changes/changes.ts'
import { configService, settings } from '../../foundation/config/config.ts'
import { databaseService, storedValuesChanged, tables } from '../../foundation/database/database.ts'
import { answerLabellers } from '../../foundation/http/http.ts'
import { schemasService } from '../../foundation/schemas/schemas.ts'
import { purgers } from './cdn.ts'
import { composeCdn } from './compose-cdn.ts'
import { corePurgers } from './purgers/purgers.ts'
import { cdnSettings, provider } from './settings.ts'
import { cdnStateTable } from './tables.ts'

/** Lets a CDN cache responses, and purges them after changes. Does nothing until `cdn.provider` is set. */
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
