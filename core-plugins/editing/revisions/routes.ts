import { Type } from 'typebox'
import { writtenReply } from '../../entries/content/content.ts'
import {
  defineRoute,
  idSchema,
  type Route,
  rangeOf,
  rangePage,
  rangeQuery,
  strict,
} from '../../foundation/http/http.ts'
import type { History } from './history.ts'
import { listedRevisionSchema, revisionDiffSchema, revisionSchema } from './revision.ts'

const id = idSchema
const entryParams = Type.Object({ type: Type.String(), id })
const revisionParams = Type.Object({ type: Type.String(), id, revisionId: id })

/** Administrators; editors as well if the setting allows it and they have the permission on the entries. */
const access = { access: 'permission', scope: 'admin:*' } as const
export const readAccess = { ...access, policies: ['content.revisions', 'content.read'] } as const
export const restoreAccess = { ...access, policies: ['content.revisions', 'content.update'] } as const

const base = { tag: 'Revisions' } as const
const readable = { ...base, ...readAccess } as const

export function revisionRoutes(history: History): Route[] {
  return [listRoute(history), readRoute(history), diffRoute(history), restoreRoute(history)]
}

const listRoute = (history: History) =>
  defineRoute({
    ...readable,
    name: 'content:revisions.list',
    method: 'GET',
    path: '/content/:type/:id/revisions',
    summary: 'List the revisions of an entry, newest first',
    params: entryParams,
    query: Type.Object(
      { data: Type.Optional(Type.Boolean({ description: 'False omits the data' })), ...rangeQuery },
      strict,
    ),
    response: Type.Array(listedRevisionSchema),
    isPaginated: true,
    async handler({ params, query, principal }) {
      const range = rangeOf(query)
      const { revisions, total } = await history.list(
        params,
        { range, withData: query.data !== false },
        principal,
      )
      return rangePage(revisions, total, range)
    },
  })

const readRoute = (history: History) =>
  defineRoute({
    ...readable,
    name: 'content:revisions.read',
    method: 'GET',
    path: '/content/:type/:id/revisions/:revisionId',
    summary: 'Read a revision of an entry',
    params: revisionParams,
    response: revisionSchema,
    handler: ({ params, principal }) => history.find(params, params.revisionId, principal),
  })

const diffRoute = (history: History) =>
  defineRoute({
    ...readable,
    name: 'content:revisions.diff',
    method: 'GET',
    path: '/content/:type/:id/revisions/:revisionId/diff',
    summary: 'Compare two revisions',
    description: 'Without `to`, compares with the newest revision.',
    params: revisionParams,
    query: Type.Object({ to: Type.Optional(id) }, strict),
    response: revisionDiffSchema,
    handler: ({ params, query, principal }) =>
      history.diff(params, { from: params.revisionId, to: query.to }, principal),
  })

const restoreRoute = (history: History) =>
  defineRoute({
    ...base,
    ...restoreAccess,
    name: 'content:revisions.restore',
    method: 'POST',
    path: '/content/:type/:id/revisions/:revisionId/restore',
    summary: 'Restore a revision of an entry',
    description:
      'Data that the content type no longer accepts is left out and listed in `_leftOut`. Returns the entry.',
    params: revisionParams,
    body: Type.Object({}, strict),
    isBodyOptional: true,
    takesIfMatch: true,
    async handler(request) {
      const { params, principal, ip } = request
      const { type, id } = params
      const write = { type, id, principal, ip, ifMatch: request.header('if-match') }
      const { entry, leftOut } = await history.restore(write, params.revisionId)
      return writtenReply(leftOut.length === 0 ? entry : { ...entry, _leftOut: leftOut })
    },
  })
