import { Type } from 'typebox'
import { defineRoute, idSchema } from '../../../foundation/http/http.ts'
import { writtenReply } from '../entry/version.ts'
import { base, entryWrite, fieldParams, type RouteDeps, strict } from './route-deps.ts'

export const linkRoute = ({ content, documents }: RouteDeps) =>
  defineRoute({
    ...base,
    name: 'content:entries.link',
    method: 'POST',
    path: '/content/:type/:id/link/:field',
    summary: 'Link an existing entry to a relation',
    scope: 'content:write',
    policies: ['content.update'],
    params: fieldParams,
    body: Type.Object({ id: idSchema }, strict),
    takesIfMatch: true,
    document: documents.link,
    handler: async (request) =>
      writtenReply(await content.link(entryWrite(request), request.params.field, request.body.id)),
  })

export const unlinkRoute = ({ content, documents }: RouteDeps) =>
  defineRoute({
    ...base,
    name: 'content:entries.unlink',
    method: 'DELETE',
    path: '/content/:type/:id/unlink/:field',
    summary: 'Unlink an entry from a relation',
    scope: 'content:write',
    policies: ['content.update'],
    params: fieldParams,
    body: Type.Object({ id: idSchema }, strict),
    takesIfMatch: true,
    document: documents.unlink,
    handler: async (request) =>
      writtenReply(await content.unlink(entryWrite(request), request.params.field, request.body.id)),
  })
