import { Type } from 'typebox'
import { defineRoute } from '../../../foundation/http/http.ts'
import { checkSchema } from './check-schema.ts'
import { anyObject, base, entryParams, entryWrite, type RouteDeps, typeParams } from './route-deps.ts'

const description =
  'Takes what the write takes, and reports the problems that the write would: `{ valid: false, details }`. Nothing is stored.'

export const checkCreateRoute = ({ content, documents }: RouteDeps) =>
  defineRoute({
    ...base,
    name: 'content:entries.check-create',
    method: 'POST',
    path: '/content/:type/check',
    summary: 'Check a new entry, or the entry of a single type, without storing it',
    description,
    scope: 'content:write',
    policies: ['content.check'],
    params: typeParams,
    body: anyObject,
    takesIfMatch: true,
    response: checkSchema,
    audit: false,
    document: documents.checkCreate,
    handler(request) {
      const { params, body, principal, ip, rawQuery: query } = request
      const ifMatch = request.header('if-match')
      return content.checkCreate({ type: params.type, principal, ip, ifMatch, query }, body)
    },
  })

export const checkUpdateRoute = ({ content, documents }: RouteDeps) =>
  defineRoute({
    ...base,
    name: 'content:entries.check-update',
    method: 'POST',
    path: '/content/:type/:id/check',
    summary: 'Check a change of an entry without storing it',
    description,
    scope: 'content:write',
    policies: ['content.update'],
    params: entryParams,
    query: Type.Object({
      publishing: Type.Optional(
        Type.Boolean({ description: 'Also reports what the entry would lack to be published' }),
      ),
    }),
    body: anyObject,
    takesIfMatch: true,
    response: checkSchema,
    audit: false,
    document: documents.checkUpdate,
    handler: (request) =>
      content.checkUpdate(entryWrite(request), request.body, request.query.publishing ?? false),
  })
