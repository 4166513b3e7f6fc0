import { andThen } from '../../../../kernel/index.ts'
import { AppError, defineRoute, page, Reply, type Route } from '../../../foundation/http/http.ts'
import type { FoundEntry } from '../entry/entry.ts'
import { entryParams, typeParams } from '../operations/route-requests.ts'
import type { ContentReads } from '../services/content-service.ts'
import { type DocumentParts, describeList, describeRead, variantsOf } from './documents.ts'

export interface ReadRouteDeps extends DocumentParts {
  /** Without permission checks: the policies of the routes make them. */
  readonly reads: ContentReads
}

export function listRoute({ reads, ...parts }: ReadRouteDeps): Route {
  const { types } = parts.schemas
  return defineRoute({
    access: 'permission',
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
    document: variantsOf({ name: 'entries.list', path: '' }, parts, (type) => describeList(type, parts)),
    keptBy: () => '',
    handler(request) {
      const { params, rawQuery, principal } = request
      const { type: name } = params
      const type = types.get(name)
      if (type === undefined) throw AppError.notFound(`content type ${name}`)
      return type.kind === 'singleType'
        ? andThen(reads.findSingle(name, rawQuery, principal, request), (found) => foundReply(found, name))
        : andThen(reads.list(name, rawQuery, principal, request), ({ entries, pagination }) =>
            page(entries, pagination),
          )
    },
  })
}

export function readRoute({ reads, ...parts }: ReadRouteDeps): Route {
  return defineRoute({
    access: 'permission',
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
    document: variantsOf({ name: 'entries.read', path: '/:id' }, parts, (type) => describeRead(type, parts)),
    keptBy: () => '',
    handler(request) {
      const { params, rawQuery, principal } = request
      return andThen(reads.find(params.type, params.id, rawQuery, principal, request), (found) =>
        foundReply(found, `${params.type} ${params.id}`),
      )
    },
  })
}

function foundReply(found: FoundEntry | undefined, name: string): Reply {
  if (found === undefined) throw AppError.notFound(name)
  return new Reply(200, { kind: 'data', data: found.entry, version: found.version })
}
