import { Type } from 'typebox'
import { defineRoute, type Principal } from '../../../foundation/http/http.ts'
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
      deps.undoableWrites.updateMany(writeOf(request), request.body.ids, request.body.data),
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
    handler: (request) => deps.undoableWrites.deleteMany(writeOf(request), request.body.ids),
  })

export const bulkPublishRoute = (deps: RouteDeps) =>
  defineRoute({
    ...publication,
    name: 'content:entries.bulk-publish',
    path: '/content/:type/bulk-publish',
    summary: 'Publish many entries now, all or none',
    document: deps.documents.bulkPublish,
    handler: (request) => deps.undoableWrites.publishMany(writeOf(request), request.body.ids),
  })

export const bulkUnpublishRoute = (deps: RouteDeps) =>
  defineRoute({
    ...publication,
    name: 'content:entries.bulk-unpublish',
    path: '/content/:type/bulk-unpublish',
    summary: 'Unpublish many entries, all or none',
    document: deps.documents.bulkUnpublish,
    handler: (request) => deps.undoableWrites.unpublishMany(writeOf(request), request.body.ids),
  })

interface BulkRequest {
  readonly params: { readonly type: string }
  readonly principal: Principal
  readonly ip: string
}

const writeOf = ({ params: { type }, principal, ip }: BulkRequest): WriteRequest => ({ type, principal, ip })
