import { Type } from 'typebox'
import { defineRoute } from '../../http/http.ts'
import { anyObject, base, ids, type RouteDeps, strict, typeParams } from './route-deps.ts'

export const bulkUpdateRoute = ({ bulkWrites, documents }: RouteDeps) =>
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
    document: documents.bulkUpdate,
    async handler({ params, body, principal, ip }) {
      const ids = await bulkWrites.updateMany({ type: params.type, principal, ip }, body.ids, body.data)
      return { count: ids.length, ids }
    },
  })

export const bulkDeleteRoute = ({ bulkWrites, documents }: RouteDeps) =>
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
    document: documents.bulkDelete,
    async handler({ params, body, principal, ip }) {
      const ids = await bulkWrites.deleteMany({ type: params.type, principal, ip }, body.ids)
      return { count: ids.length, ids }
    },
  })
