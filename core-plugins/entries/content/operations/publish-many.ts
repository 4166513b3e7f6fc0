import { Type } from 'typebox'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'
import { assertAllFound, withTheirDrafts } from '../write/stored-entries.ts'
import type { WriteDeps } from '../write/write-deps.ts'
import { inTransaction } from '../write/write-path.ts'
import { changeTogether, portionsOf } from '../write/write-together.ts'
import type { WriteRequest } from '../write-request.ts'
import { bulkMutation, idsIn, isCollection, undoable } from './bulk.ts'
import { defineOperation } from './operation.ts'
import { assertPublishable, hasPublications } from './publish.ts'
import { ids, strict, typeParams, typeWrite } from './route-requests.ts'

/** What the two have in common. */
const publication = {
  service: 'bulkWrites',
  right: 'publish',
  of: (type: ContentType) => isCollection(type) && hasPublications(type),
} as const

const route = {
  method: 'POST',
  params: typeParams,
  body: Type.Object({ ids }, strict),
} as const

/** See `BulkWrites.publishMany`. */
export const publishMany = defineOperation({
  ...publication,
  recordedAs: 'publish',
  run: (deps, request: WriteRequest, ids: readonly number[]) => changeAll(deps, 'publish', request, ids),
  route: {
    ...route,
    name: 'entries.bulk-publish',
    path: '/bulk-publish',
    summary: 'Publish many entries now, all or none',
    document: ({ pluralName }) => ({ summary: `Publish many ${pluralName}`, response: undoable }),
    handler: (request, run) => run(typeWrite(request), request.body.ids),
  },
  mutation: {
    ...bulkMutation,
    name: (object) => `bulkPublish${object}`,
    description: 'Publishes entries now, all or none',
    resolve: (args, write, run) => run(write, idsIn(args)),
  },
})

/** See `BulkWrites.unpublishMany`. */
export const unpublishMany = defineOperation({
  ...publication,
  recordedAs: 'unpublish',
  run: (deps, request: WriteRequest, ids: readonly number[]) => changeAll(deps, 'unpublish', request, ids),
  route: {
    ...route,
    name: 'entries.bulk-unpublish',
    path: '/bulk-unpublish',
    summary: 'Unpublish many entries, all or none',
    document: ({ pluralName }) => ({ summary: `Unpublish many ${pluralName}`, response: undoable }),
    handler: (request, run) => run(typeWrite(request), request.body.ids),
  },
  mutation: {
    ...bulkMutation,
    name: (object) => `bulkUnpublish${object}`,
    description: 'Unpublishes entries, all or none',
    resolve: (args, write, run) => run(write, idsIn(args)),
  },
})

async function changeAll(
  deps: WriteDeps,
  operation: 'publish' | 'unpublish',
  request: WriteRequest,
  ids: readonly number[],
): Promise<void> {
  const type = deps.typeNamed(request.type)
  assertPublishable(type)
  await inTransaction(deps, request, async (tx) => {
    for (const portion of portionsOf(ids)) {
      const rows = await type.store.loadMany(portion, tx)
      assertAllFound(type, rows, portion)
      const now = new Date().toISOString()
      const stored = await withTheirDrafts(type, rows, tx)
      const changes = stored.map((each) => ({ stored: each, data: {} }))
      await changeTogether(deps, type, changes, { ...request, operation, tx, now })
    }
  })
}
