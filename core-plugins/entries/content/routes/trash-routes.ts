import { Type } from 'typebox'
import { defineRoute } from '../../../foundation/http/http.ts'
import { writtenReply } from '../entry/version.ts'
import { base, entryParams, entryWrite, type RouteDeps, strict, typeParams } from './route-deps.ts'

const dayMs = 24 * 60 * 60_000

export const emptyTrashQuery = Type.Object(
  { olderThanDays: Type.Optional(Type.Integer({ minimum: 0, maximum: 36_500 })) },
  strict,
)

/** When entries were moved to the trash at the latest, which are to be deleted. */
export function trashedUntil(olderThanDays = 0): string {
  return new Date(Date.now() - olderThanDays * dayMs).toISOString()
}

export const emptyTrashRoute = ({ documents, trash }: RouteDeps) =>
  defineRoute({
    ...base,
    name: 'content:trash.delete',
    method: 'DELETE',
    path: '/content/:type/trash',
    summary: 'Empty the trash of a type, up to a thousand entries',
    scope: 'content:delete',
    policies: ['content.delete', 'content.administrate'],
    params: typeParams,
    query: emptyTrashQuery,
    document: documents.emptyTrash,
    async handler({ params, query, principal, ip }) {
      const until = trashedUntil(query.olderThanDays)
      const { ids, hasMore } = await trash.emptyTrash({ type: params.type, principal, ip }, until)
      return { count: ids.length, ids, hasMore }
    },
  })

export const restoreRoute = ({ documents, trash }: RouteDeps) =>
  defineRoute({
    ...base,
    name: 'content:entries.restore',
    method: 'POST',
    path: '/content/:type/:id/restore',
    summary: 'Restore a soft-deleted entry',
    scope: 'content:delete',
    policies: ['content.delete', 'content.administrate'],
    params: entryParams,
    takesIfMatch: true,
    document: documents.restore,
    handler: async (request) => writtenReply(await trash.restore(entryWrite(request))),
  })
