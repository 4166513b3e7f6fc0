import { AppError, defineRoute } from '../../../foundation/http/http.ts'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'
import { writtenReply } from '../entry/version.ts'
import { anyObject, autosaved, base, type RouteDeps, typeNamed, typeParams } from './route-deps.ts'

export const putSingleRoute = ({ content, documents, schemas }: RouteDeps) =>
  defineRoute({
    ...base,
    name: 'content:single.put',
    tool: {
      name: 'save_single',
      description: 'Creates the entry of a single type, or changes the fields of it that are in data.',
    },
    method: 'PUT',
    path: '/content/:type',
    summary: 'Create or update the entry of a single type',
    scope: 'content:write',
    policies: ['content.update'],
    params: typeParams,
    body: anyObject,
    takesIfMatch: true,
    takesAutosave: true,
    document: documents.putSingle,
    async handler(request) {
      const { params, body, principal, ip, rawQuery: query } = request
      assertSingle(typeNamed(schemas, params.type))
      const write = { type: params.type, principal, ip, ifMatch: request.header('if-match'), query }
      const { entry, isNew } = await content.putSingle({ ...write, ...autosaved(request) }, body)
      return writtenReply(entry, isNew ? 201 : 200)
    },
  })

export const deleteSingleRoute = ({ content, documents, schemas }: RouteDeps) =>
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
      assertSingle(typeNamed(schemas, params.type))
      const ifMatch = request.header('if-match')
      return content.deleteSingle({ type: params.type, principal, ip, ifMatch, query })
    },
  })

function assertSingle({ name, kind }: ContentType): void {
  if (kind === 'singleType') return
  const message = `${name} has many entries; name one by its id`
  throw new AppError('METHOD_NOT_ALLOWED', message, { headers: { allow: 'GET, POST' } })
}
