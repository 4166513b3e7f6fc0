import { Type } from 'typebox'
import { defineRoute, type Principal } from '../../http/http.ts'
import type { BulkOperation, RecordedBatch } from '../batch-recorder.ts'
import type { WriteRequest } from '../write-request.ts'
import { anyObject, base, ids, type RouteDeps, strict, typeParams } from './route-deps.ts'

const publication = {
  ...base,
  method: 'POST',
  scope: 'content:publish',
  policies: ['content.publish'],
  params: typeParams,
  body: Type.Object({ ids }, strict),
} as const

export const bulkUpdateRoute = (deps: RouteDeps) =>
  defineRoute({
    ...base,
    name: 'content:entries.bulk-update',
    method: 'PATCH',
    path: '/content/:type/bulk-update',
    summary: 'Apply the same change to many entries, all or none',
    scope: 'content:write',
    policies: ['content.update'],
    params: typeParams,
    body: Type.Object({ ids, data: anyObject }, strict),
    document: deps.documents.bulkUpdate,
    handler: (request) =>
      undoable(deps, 'update', request, (write) =>
        deps.bulkWrites.updateMany(write, request.body.ids, request.body.data),
      ),
  })

export const bulkDeleteRoute = (deps: RouteDeps) =>
  defineRoute({
    ...base,
    name: 'content:entries.bulk-delete',
    method: 'DELETE',
    path: '/content/:type/bulk-delete',
    summary: 'Delete many entries, all or none',
    scope: 'content:delete',
    policies: ['content.delete'],
    params: typeParams,
    body: Type.Object({ ids }, strict),
    document: deps.documents.bulkDelete,
    handler: (request) =>
      undoable(deps, 'delete', request, (write) => deps.bulkWrites.deleteMany(write, request.body.ids)),
  })

export const bulkPublishRoute = (deps: RouteDeps) =>
  defineRoute({
    ...publication,
    name: 'content:entries.bulk-publish',
    path: '/content/:type/bulk-publish',
    summary: 'Publish many entries now, all or none',
    document: deps.documents.bulkPublish,
    handler: (request) =>
      undoable(deps, 'publish', request, async (write) => {
        const ids = [...new Set(request.body.ids)]
        await deps.bulkWrites.publishMany(write, ids)
        return ids
      }),
  })

export const bulkUnpublishRoute = (deps: RouteDeps) =>
  defineRoute({
    ...publication,
    name: 'content:entries.bulk-unpublish',
    path: '/content/:type/bulk-unpublish',
    summary: 'Unpublish many entries, all or none',
    document: deps.documents.bulkUnpublish,
    handler: (request) =>
      undoable(deps, 'unpublish', request, async (write) => {
        const ids = [...new Set(request.body.ids)]
        await deps.bulkWrites.unpublishMany(write, ids)
        return ids
      }),
  })

interface BulkRequest {
  readonly params: { readonly type: string }
  readonly principal: Principal
  readonly ip: string
}

interface BulkAnswer {
  readonly count: number
  readonly ids: readonly number[]
  readonly batch: RecordedBatch | null
}

/** Carries out a bulk write, with whatever keeps what it changes. */
async function undoable(
  { recordBatch }: RouteDeps,
  operation: BulkOperation,
  { params: { type }, principal, ip }: BulkRequest,
  write: (request: WriteRequest) => Promise<readonly number[]>,
): Promise<BulkAnswer> {
  const batch = recordBatch({ type, operation, principal })
  const annotations = batch === undefined ? {} : { annotations: batch.annotations }
  const ids = await write({ type, principal, ip, ...annotations })
  return { count: ids.length, ids, batch: batch?.answer() ?? null }
}
