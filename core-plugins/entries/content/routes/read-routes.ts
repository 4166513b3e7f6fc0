import { andThen } from '../../../../kernel/index.ts'
import { AppError, defineRoute, page, Reply } from '../../../foundation/http/http.ts'
import type { FoundEntry } from '../entry/entry.ts'
import { base, entryParams, type RouteDeps, typeNamed, typeParams } from './route-deps.ts'

export const listRoute = ({ content, documents, schemas }: RouteDeps) =>
  defineRoute({
    ...base,
    name: 'content:entries.list',
    tool: {
      name: 'find_entries',
      description:
        'Lists the entries of a type: filter, sort, page, choose fields. Of a single type it reads its entry. `filters` is an ' +
        'object: {"title": {"$containsi": "sql"}}.',
    },
    method: 'GET',
    path: '/content/:type',
    summary: 'List entries, or read the entry of a single type',
    scope: 'content:read',
    policies: ['content.read'],
    params: typeParams,
    document: documents.list,
    keptBy: () => '',
    handler(request) {
      const { params, rawQuery, principal } = request
      const { name, kind } = typeNamed(schemas, params.type)
      return kind === 'singleType'
        ? andThen(content.findSingle(name, rawQuery, principal, request), (found) => foundReply(found, name))
        : andThen(content.list(name, rawQuery, principal, request), ({ entries, pagination }) =>
            page(entries, pagination),
          )
    },
  })

export const readRoute = ({ content, documents }: RouteDeps) =>
  defineRoute({
    ...base,
    name: 'content:entries.read',
    tool: {
      name: 'get_entry',
      description:
        'Reads one entry, whole unless fields says otherwise. Its etag makes a later change safe (ifMatch).',
    },
    method: 'GET',
    path: '/content/:type/:id',
    summary: 'Read an entry',
    scope: 'content:read',
    policies: ['content.read'],
    params: entryParams,
    document: documents.read,
    keptBy: () => '',
    handler(request) {
      const { params, rawQuery, principal } = request
      return andThen(content.find(params.type, params.id, rawQuery, principal, request), (found) =>
        foundReply(found, `${params.type} ${params.id}`),
      )
    },
  })

function foundReply(found: FoundEntry | undefined, name: string): Reply {
  if (found === undefined) throw AppError.notFound(name)
  return new Reply(200, { kind: 'data', data: found.entry, version: found.version })
}
