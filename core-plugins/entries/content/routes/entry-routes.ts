import { Type } from 'typebox'
import { defineRoute } from '../../../foundation/http/http.ts'
import { writtenReply } from '../entry/version.ts'
import {
  anyObject,
  autosaved,
  base,
  entryParams,
  entryWrite,
  type RouteDeps,
  typeParams,
} from './route-deps.ts'

export const createRoute = ({ content, documents }: RouteDeps) =>
  defineRoute({
    ...base,
    name: 'content:entries.create',
    tool: {
      name: 'create_entry',
      description:
        'Creates an entry; data is what describe_type calls input. Where the type has drafts, it is one until published.',
    },
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
  })

export const updateRoute = ({ content, documents }: RouteDeps) =>
  defineRoute({
    ...base,
    name: 'content:entries.update',
    tool: {
      name: 'update_entry',
      description:
        'Changes the fields of an entry that are in data, and no others; null empties one. Lists and components are replaced whole.',
    },
    method: 'PUT',
    path: '/content/:type/:id',
    summary: 'Change fields of an entry',
    scope: 'content:write',
    policies: ['content.update'],
    params: entryParams,
    body: anyObject,
    takesIfMatch: true,
    takesAutosave: true,
    document: documents.update,
    handler: async (request) =>
      writtenReply(await content.update({ ...entryWrite(request), ...autosaved(request) }, request.body)),
  })

export const deleteRoute = ({ auth, content, documents, trash }: RouteDeps) =>
  defineRoute({
    ...base,
    name: 'content:entries.delete',
    tool: {
      name: 'delete_entry',
      description: 'Deletes an entry, into the trash if its type has one.',
    },
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
      return trash.purge(entryWrite(request))
    },
  })
