import { appStart, definePlugin } from '../../../kernel/index.ts'
import { jobKinds, jobsService } from '../../background/jobs/jobs.ts'
import { configService, settings } from '../../foundation/config/config.ts'
import {
  databaseService,
  StepKeeper,
  schemaRecordService,
  tables,
} from '../../foundation/database/database.ts'
import { schemasService } from '../../foundation/schemas/schemas.ts'
import { restoreSteps } from '../../foundation/sections/sections.ts'
import { signalsService } from '../../foundation/signals/signals.ts'
import {
  contentService,
  contentWriteMiddleware,
  entryChanges,
  storedEntriesService,
} from '../content/content.ts'
import { answerValidityService, changeLogService } from './changes.ts'
import { composeChanges } from './compose-changes.ts'
import { pruneRegularly } from './prune.ts'
import { maxRows, retentionDays } from './settings.ts'
import { changesStateTable, changesTable } from './tables.ts'

/** The log of everything that changes. */
export const changesPlugin = definePlugin({
  name: 'changes',
  description: 'Keeps a log of everything that changes, which caches, feeds and live updates follow',
  uses: {
    config: configService,
    content: contentService,
    database: databaseService,
    schemaRecord: schemaRecordService,
    schemas: schemasService,
    storedEntries: storedEntriesService,
  },
  usesIfPresent: { jobs: jobsService, signals: signalsService },
  provides: [changeLogService, answerValidityService],

  register({ contribute }) {
    for (const setting of [retentionDays, maxRows]) contribute(settings, setting)
    for (const table of [changesTable, changesStateTable]) contribute(tables, table.spec)
  },

  init(context) {
    const { services, contribute, provide, on, log, onDispose } = context
    const parts = composeChanges(context)
    provide(changeLogService, parts.log)
    provide(answerValidityService, parts.validity)
    contribute(entryChanges, parts.recorder.record)
    contribute(contentWriteMiddleware, parts.recorder.attribute, { before: ['*'] })
    for (const kind of parts.jobKinds) contribute(jobKinds, kind)
    contribute(restoreSteps, async (tx) => parts.log.note({ kind: 'reset' }, tx))
    const keeper = new StepKeeper({
      ...{ record: services.schemaRecord, table: changesTable.name, log, againMs: 5_000 },
      // Followers have to start over, and caches drop everything.
      onMissed: () => services.database.transaction(async (tx) => parts.log.note({ kind: 'reset' }, tx)),
    })
    on(
      appStart,
      async () => {
        await parts.start()
        await keeper.start()
      },
      { step: 'begin', before: ['http'] },
    )
    onDispose(() => keeper.stop())
    onDispose(parts.stop)
    onDispose(pruneRegularly(parts.store, services.config, log).stop)
  },
})
