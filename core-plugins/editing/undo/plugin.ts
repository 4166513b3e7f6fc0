import { Type } from 'typebox'
import { definePlugin } from '../../../kernel/index.ts'
import { authService } from '../../accounts/auth/auth.ts'
import { defineJob, jobKinds } from '../../background/jobs/jobs.ts'
import { defineSchedule, schedules } from '../../background/schedules/schedules.ts'
import {
  batchRecorders,
  contentService,
  contentWriteMiddleware,
  entryChanges,
  storedEntriesService,
  trashService,
} from '../../entries/content/content.ts'
import { databaseService, tables } from '../../foundation/database/database.ts'
import { policies, routes } from '../../foundation/http/http.ts'
import { schemasService } from '../../foundation/schemas/schemas.ts'
import { unpublishTimesService } from '../unpublish-times/unpublish-times.ts'
import { createBatchStore } from './batch-store.ts'
import { createBatchRecorder, keepBatches } from './keep-batches.ts'
import { createOwnChanges } from './own-changes.ts'
import { revertPolicy, revertRoute } from './routes.ts'
import { batchEntriesTable, batchesTable } from './tables.ts'

/** Undoing bulk writes. */
export const undoPlugin = definePlugin({
  name: 'undo',
  description: 'Keeps what bulk writes change for ten minutes, so that they can be undone',
  uses: {
    auth: authService,
    content: contentService,
    database: databaseService,
    schemas: schemasService,
    storedEntries: storedEntriesService,
    trash: trashService,
  },
  usesIfPresent: { times: unpublishTimesService },

  register({ contribute }) {
    for (const table of [batchesTable, batchEntriesTable]) contribute(tables, table.spec)
  },

  init({ services, contribute }) {
    const { auth, database, schemas, storedEntries, times } = services
    const store = createBatchStore(database, storedEntries)
    const forgetting = defineJob({
      name: 'batches.forget',
      payload: Type.Object({}),
      run: (_, { signal }) => store.forgetExpired(signal),
    })
    contribute(jobKinds, forgetting)
    contribute(
      schedules,
      defineSchedule({
        name: forgetting.name,
        kind: forgetting,
        payload: {},
        cronExpression: '*/10 * * * *',
      }),
    )
    const ownChanges = createOwnChanges()
    contribute(entryChanges, ownChanges.listen)
    contribute(batchRecorders, createBatchRecorder(auth, schemas))
    contribute(contentWriteMiddleware, keepBatches(store, times))
    contribute(policies, revertPolicy)
    contribute(routes, revertRoute({ ...services, store, ownChanges }))
  },
})
