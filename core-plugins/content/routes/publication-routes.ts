import { Type } from 'typebox'
import { AppError, defineRoute, type ErrorDetail } from '../../http/http.ts'
import { parseMoment } from '../../schemas/schemas.ts'
import { writtenReply } from '../version.ts'
import { base, entryParams, entryWrite, type RouteDeps, strict } from './route-deps.ts'

export const publishRoute = ({ content, documents }: RouteDeps) =>
  defineRoute({
    ...base,
    name: 'content:entries.publish',
    method: 'PUT',
    path: '/content/:type/:id/publish',
    summary: 'Publish an entry now, or at a future time',
    scope: 'content:publish',
    policies: ['content.publish'],
    params: entryParams,
    body: Type.Object({ publishedAt: Type.Optional(Type.String()) }, strict),
    isBodyOptional: true,
    takesIfMatch: true,
    document: documents.publish,
    handler: async (request) =>
      writtenReply(await content.publish(entryWrite(request), publishedAtIn(request.body))),
  })

export const unpublishRoute = ({ content, documents }: RouteDeps) =>
  defineRoute({
    ...base,
    name: 'content:entries.unpublish',
    method: 'PUT',
    path: '/content/:type/:id/unpublish',
    summary: 'Unpublish an entry',
    scope: 'content:publish',
    policies: ['content.publish'],
    params: entryParams,
    body: Type.Object({}, strict),
    isBodyOptional: true,
    takesIfMatch: true,
    document: documents.unpublish,
    handler: async (request) => writtenReply(await content.unpublish(entryWrite(request))),
  })

function publishedAtIn(body: { readonly publishedAt?: string } | undefined): string | undefined {
  if (body?.publishedAt === undefined) return undefined
  const moment = parseMoment(body.publishedAt)
  if (moment !== undefined) return moment
  const detail: ErrorDetail = {
    path: 'publishedAt',
    code: 'format',
    message: 'must be an ISO 8601 time with an offset, such as 2026-01-31T08:00:00Z',
  }
  throw AppError.invalid([detail])
}
