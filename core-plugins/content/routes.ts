import { Type } from 'typebox'
import type { Auth } from '../auth/auth.ts'
import { AppError, defineRoute, type ErrorDetail, idSchema, page, Reply, type Route } from '../http/http.ts'
import type { ContentType, Schemas } from '../schemas/schemas.ts'
import { andThen } from './awaitable.ts'
import type { Content, FoundEntry } from './content.ts'
import type { AddedParameters } from './entry-extensions.ts'
import { parseMoment } from './payload/calendar.ts'
import { documentRoutes } from './route-documents.ts'
import { writtenReply } from './version.ts'

const typeParams = Type.Object({ type: Type.String() })
const entryParams = Type.Object({ type: Type.String(), id: Type.Integer({ minimum: 1 }) })
const fieldParams = Type.Object({
  type: Type.String(),
  id: Type.Integer({ minimum: 1 }),
  field: Type.String(),
})
const anyObject = Type.Object({})
const ids = Type.Array(idSchema, { minItems: 1, maxItems: 1_000 })
const strict = { additionalProperties: false }

const dayMs = 24 * 60 * 60_000

export interface RouteScope {
  readonly auth: Auth
  readonly schemas: Schemas
  readonly added: AddedParameters
}

/** The REST API of the content types (specification, "Content"; decisions.md, 3). */
export function contentRoutes(content: Content, { auth, schemas, added }: RouteScope): Route[] {
  const typeNamed = (name: string): ContentType => {
    const type = schemas.types.get(name)
    if (type === undefined) throw AppError.notFound(`content type ${name}`)
    return type
  }
  const documents = documentRoutes(schemas, added)
  const base = { access: 'permission' } as const

  return [
    defineRoute({
      ...base,
      name: 'content:entries.list',
      method: 'GET',
      path: '/content/:type',
      summary: 'List entries, or read the entry of a single type',
      scope: 'content:read',
      policies: ['content.read'],
      params: typeParams,
      document: documents.list,
      handler(request) {
        const { params, rawQuery, principal } = request
        const { name, kind } = typeNamed(params.type)
        return kind === 'singleType'
          ? andThen(content.findSingle(name, rawQuery, principal, request), (found) =>
              foundReply(found, name),
            )
          : andThen(content.list(name, rawQuery, principal, request), ({ entries, pagination }) =>
              page(entries, pagination),
            )
      },
    }),
    defineRoute({
      ...base,
      name: 'content:entries.create',
      method: 'POST',
      path: '/content/:type',
      summary: 'Create an entry',
      scope: 'content:write',
      policies: ['content.create'],
      params: typeParams,
      body: anyObject,
      successStatus: 201,
      document: documents.create,
      handler: async ({ params, body, principal, ip }) =>
        writtenReply(await content.create({ type: params.type, principal, ip }, body), 201),
    }),
    defineRoute({
      ...base,
      name: 'content:single.put',
      method: 'PUT',
      path: '/content/:type',
      summary: 'Create or update the entry of a single type',
      scope: 'content:write',
      policies: ['content.update'],
      params: typeParams,
      body: anyObject,
      takesIfMatch: true,
      document: documents.putSingle,
      async handler(request) {
        const { params, body, principal, ip, rawQuery: query } = request
        requireSingle(typeNamed(params.type))
        const write = { type: params.type, principal, ip, ifMatch: request.header('if-match'), query }
        const { entry, isNew } = await content.putSingle(write, body)
        return writtenReply(entry, isNew ? 201 : 200)
      },
    }),
    defineRoute({
      ...base,
      name: 'content:single.delete',
      method: 'DELETE',
      path: '/content/:type',
      summary: 'Delete the entry of a single type',
      scope: 'content:delete',
      policies: ['content.delete'],
      params: typeParams,
      takesIfMatch: true,
      document: documents.deleteSingle,
      handler(request) {
        const { params, principal, ip, rawQuery: query } = request
        requireSingle(typeNamed(params.type))
        const ifMatch = request.header('if-match')
        return content.deleteSingle({ type: params.type, principal, ip, ifMatch, query })
      },
    }),
    defineRoute({
      ...base,
      name: 'content:entries.bulk-update',
      method: 'PATCH',
      path: '/content/:type/bulk-update',
      summary: 'Change many entries alike, all or none',
      scope: 'content:write',
      policies: ['content.update'],
      params: typeParams,
      body: Type.Object({ ids, data: anyObject }, strict),
      document: documents.bulkUpdate,
      async handler({ params, body, principal, ip }) {
        const ids = await content.updateMany({ type: params.type, principal, ip }, body.ids, body.data)
        return { count: ids.length, ids }
      },
    }),
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
        const ids = await content.deleteMany({ type: params.type, principal, ip }, body.ids)
        return { count: ids.length, ids }
      },
    }),
    defineRoute({
      ...base,
      name: 'content:entries.read',
      method: 'GET',
      path: '/content/:type/:id',
      summary: 'Read an entry',
      scope: 'content:read',
      policies: ['content.read'],
      params: entryParams,
      document: documents.read,
      handler(request) {
        const { params, rawQuery, principal } = request
        return andThen(content.find(params.type, params.id, rawQuery, principal, request), (found) =>
          foundReply(found, `${params.type} ${params.id}`),
        )
      },
    }),
    defineRoute({
      ...base,
      name: 'content:entries.update',
      method: 'PUT',
      path: '/content/:type/:id',
      summary: 'Change fields of an entry',
      scope: 'content:write',
      policies: ['content.update'],
      params: entryParams,
      body: anyObject,
      takesIfMatch: true,
      document: documents.update,
      handler: async (request) => writtenReply(await content.update(entryWrite(request), request.body)),
    }),
    defineRoute({
      ...base,
      name: 'content:entries.delete',
      method: 'DELETE',
      path: '/content/:type/:id',
      summary: 'Delete an entry',
      scope: 'content:delete',
      policies: ['content.delete'],
      params: entryParams,
      takesIfMatch: true,
      query: Type.Object({ permanent: Type.Optional(Type.Boolean()) }),
      document: documents.delete,
      handler(request) {
        if (request.query.permanent !== true) return content.delete(entryWrite(request))
        if (!auth.isAdministrator(request.principal)) auth.refuse(request.principal)
        return content.purge(entryWrite(request))
      },
    }),
    defineRoute({
      ...base,
      name: 'content:trash.delete',
      method: 'DELETE',
      path: '/content/:type/trash',
      summary: 'Empty the trash of a type, a thousand entries at most',
      scope: 'content:delete',
      policies: ['content.delete', 'content.administrate'],
      params: typeParams,
      query: Type.Object(
        { olderThanDays: Type.Optional(Type.Integer({ minimum: 0, maximum: 36_500 })) },
        strict,
      ),
      document: documents.emptyTrash,
      async handler({ params, query, principal, ip }) {
        const until = new Date(Date.now() - (query.olderThanDays ?? 0) * dayMs).toISOString()
        const { ids, hasMore } = await content.emptyTrash({ type: params.type, principal, ip }, until)
        return { count: ids.length, ids, hasMore }
      },
    }),
    defineRoute({
      ...base,
      name: 'content:entries.restore',
      method: 'POST',
      path: '/content/:type/:id/restore',
      summary: 'Bring a soft-deleted entry back',
      scope: 'content:delete',
      policies: ['content.delete', 'content.administrate'],
      params: entryParams,
      takesIfMatch: true,
      document: documents.restore,
      handler: async (request) => writtenReply(await content.restore(entryWrite(request))),
    }),
    defineRoute({
      ...base,
      name: 'content:entries.publish',
      method: 'PUT',
      path: '/content/:type/:id/publish',
      summary: 'Publish an entry now, or at a time to come',
      scope: 'content:publish',
      policies: ['content.publish'],
      params: entryParams,
      body: Type.Object({ publishedAt: Type.Optional(Type.String()) }, strict),
      isBodyOptional: true,
      takesIfMatch: true,
      document: documents.publish,
      handler: async (request) =>
        writtenReply(await content.publish(entryWrite(request), publishedAtIn(request.body))),
    }),
    defineRoute({
      ...base,
      name: 'content:entries.unpublish',
      method: 'PUT',
      path: '/content/:type/:id/unpublish',
      summary: 'Take an entry back to draft',
      scope: 'content:publish',
      policies: ['content.publish'],
      params: entryParams,
      body: Type.Object({}, strict),
      isBodyOptional: true,
      takesIfMatch: true,
      document: documents.unpublish,
      handler: async (request) => writtenReply(await content.unpublish(entryWrite(request))),
    }),
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
    }),
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
    }),
  ]
}

/** What only administrators may do with content: see and restore what was deleted. */
export function administratePolicy(auth: Auth) {
  return {
    name: 'content.administrate',
    check: ({ principal }: { principal: Parameters<Auth['isAdministrator']>[0] }) =>
      auth.isAdministrator(principal),
  }
}

function entryWrite(request: {
  readonly params: { readonly type: string; readonly id: number }
  readonly principal: Parameters<Content['find']>[3]
  readonly ip: string
  header(name: string): string | undefined
}) {
  const { params, principal, ip } = request
  return { type: params.type, id: params.id, principal, ip, ifMatch: request.header('if-match') }
}

function foundReply(found: FoundEntry | undefined, name: string): Reply {
  if (found === undefined) throw AppError.notFound(name)
  return new Reply(200, { kind: 'data', data: found.entry, version: found.version })
}

function requireSingle({ name, kind }: ContentType): void {
  if (kind === 'singleType') return
  const message = `${name} has many entries; name one by its id`
  throw new AppError('METHOD_NOT_ALLOWED', message, { headers: { allow: 'GET, POST' } })
}

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
