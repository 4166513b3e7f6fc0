import { Type } from 'typebox'
import {
  defineRoute,
  idParams,
  type Route,
  rangeOf,
  rangePage,
  rangeQuery,
  strict,
} from '../../../foundation/http/http.ts'
import { assertIdList, idListQuery } from '../library/id-list.ts'
import type { Library } from '../library/library.ts'
import type { FileUsages } from './file-usages.ts'

const read = { access: 'permission', scope: 'media:read', policies: ['media.read'] } as const

const usage = {
  type: Type.String(),
  id: Type.Integer(),
  field: Type.String(),
  title: Type.Union([Type.String(), Type.Null()]),
}

/** The default page size. */
const defaultLimit = 100

export interface UsageRouteDeps {
  readonly library: Library
  readonly usages: FileUsages
}

/** Specification, "Media": where files are used. */
export function createUsageRoutes(deps: UsageRouteDeps): Route[] {
  return [listUsages(deps), listUsagesOfMany(deps)]
}

const listUsages = ({ library, usages }: UsageRouteDeps) =>
  defineRoute({
    ...read,
    name: 'media:files.usage',
    method: 'GET',
    path: '/media/:id/usage',
    summary: 'List the places in entries that name a file',
    params: idParams,
    query: Type.Object(rangeQuery, strict),
    response: Type.Array(Type.Object(usage, strict)),
    isPaginated: true,
    async handler({ params, query, principal }) {
      await library.find(params.id, principal)
      const range = rangeOf({ limit: defaultLimit, ...query })
      const { usages: found, total } = await usages.list([params.id], { principal, ...range })
      return rangePage(
        found.map(({ mediaId: _, ...place }) => place),
        total,
        range,
      )
    },
  })

const listUsagesOfMany = ({ usages }: UsageRouteDeps) =>
  defineRoute({
    ...read,
    name: 'media:files.usages',
    method: 'GET',
    path: '/media/usage',
    summary: 'List the places in entries that name one of several files',
    description: 'What deleting them at once would change. Files that do not exist are not used.',
    query: Type.Object({ ids: idListQuery, ...rangeQuery }, strict),
    response: Type.Array(Type.Object({ mediaId: Type.Integer(), ...usage }, strict)),
    isPaginated: true,
    async handler({ query: { ids, ...query }, principal }) {
      const range = rangeOf({ limit: defaultLimit, ...query })
      const { usages: found, total } = await usages.list(assertIdList(ids), { principal, ...range })
      return rangePage(found, total, range)
    },
  })
