import { Type } from 'typebox'
import { assertAllFound, withTheirDrafts } from '../write/stored-entries.ts'
import type { WriteDeps } from '../write/write-deps.ts'
import { inTransaction } from '../write/write-path.ts'
import { changeTogether, portionsOf } from '../write/write-together.ts'
import type { WriteRequest } from '../write-request.ts'
import { bulkMutation, idsIn, isCollection, undoable } from './bulk.ts'
import { defineOperation, type Operation, type OperationMutation, type OperationRoute } from './operation.ts'
import { assertPublishable, hasPublications } from './publish.ts'
import { ids, strict, typeParams, typeWrite } from './route-requests.ts'

/** See `BulkWrites.publishMany`. */
export const publishMany = definePublication('publish', {
  summary: 'Publish many entries now, all or none',
  document: ({ pluralName }) => ({ summary: `Publish many ${pluralName}`, response: undoable }),
  name: (object) => `bulkPublish${object}`,
  description: 'Publishes entries now, all or none',
})

/** See `BulkWrites.unpublishMany`. */
export const unpublishMany = definePublication('unpublish', {
  summary: 'Unpublish many entries, all or none',
  document: ({ pluralName }) => ({ summary: `Unpublish many ${pluralName}`, response: undoable }),
  name: (object) => `bulkUnpublish${object}`,
  description: 'Unpublishes entries, all or none',
})

/** The texts in which the two operations differ, in REST and GraphQL. */
type PublicationWords = Pick<OperationRoute, 'summary' | 'document'> &
  Pick<OperationMutation, 'name' | 'description'>

function definePublication(
  operation: Publication,
  { summary, document, name, description }: PublicationWords,
): Operation<WriteRequest, [ids: readonly number[]], void> {
  return defineOperation({
    service: 'bulkWrites',
    right: 'publish',
    recordedAs: operation,
    of: (type) => isCollection(type) && hasPublications(type),
    run: (deps, request: WriteRequest, ids: readonly number[]) => changeAll(deps, operation, request, ids),
    route: {
      ...{ summary, document },
      name: `entries.bulk-${operation}`,
      method: 'POST',
      path: `/bulk-${operation}`,
      params: typeParams,
      body: Type.Object({ ids }, strict),
      handler: (request, run) => run(typeWrite(request), request.body.ids),
    },
    mutation: {
      ...{ ...bulkMutation, name, description },
      resolve: (args, write, run) => run(write, idsIn(args)),
    },
  })
}

type Publication = 'publish' | 'unpublish'

async function changeAll(
  deps: WriteDeps,
  operation: Publication,
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
