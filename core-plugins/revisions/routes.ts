import { isDeepStrictEqual } from 'node:util'
import { Type } from 'typebox'
import { type Content, type StoredEntries, writtenReply } from '../content/content.ts'
import {
  AppError,
  defineRoute,
  idSchema,
  type Principal,
  type Route,
  rangeOf,
  rangePage,
  rangeQuery,
  strict,
  timestampSchema,
} from '../http/http.ts'
import type { Schemas } from '../schemas/schemas.ts'
import type { Restorer } from './restore-revision.ts'
import type { RevisionStore } from './revision-store.ts'
import type { EntryKey, Revision } from './revisions.ts'

export interface RevisionRoutesDeps {
  readonly store: RevisionStore
  readonly restorer: Restorer
  readonly content: Content
  readonly storedEntries: StoredEntries
  readonly schemas: Schemas
  readonly max: () => number
}

const id = idSchema
const entryParams = Type.Object({ type: Type.String(), id })
const revisionParams = Type.Object({ type: Type.String(), id, revisionId: id })

const values = Type.Record(Type.String(), Type.Unknown())
const summaryShape = {
  id: Type.Integer(),
  version: Type.Integer(),
  action: Type.String(),
  author: Type.Union([
    Type.Object({ kind: Type.String(), id: Type.Integer(), username: Type.String() }, strict),
    Type.Null(),
  ]),
  created_at: timestampSchema,
}
const revisionSchema = Type.Object({ ...summaryShape, data: values }, strict)
const listedSchema = Type.Object({ ...summaryShape, data: Type.Optional(values) }, strict)
const diffSchema = Type.Object(
  {
    from: Type.Object(summaryShape, strict),
    to: Type.Object(summaryShape, strict),
    fields: Type.Array(
      Type.Object({ field: Type.String(), from: Type.Unknown(), to: Type.Unknown() }, strict),
    ),
  },
  strict,
)

/** For administrators with the same permission on the entries. */
const base = { tag: 'Revisions', access: 'permission', scope: 'admin:*' } as const
const readable = { ...base, policies: ['isAdmin', 'content.read'] } as const

export function revisionRoutes(deps: RevisionRoutesDeps): Route[] {
  return [listRoute(deps), readRoute(deps), diffRoute(deps), restoreRoute(deps)]
}

const listRoute = (deps: RevisionRoutesDeps) =>
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
    response: Type.Array(listedSchema),
    isPaginated: true,
    async handler({ params, query, principal }) {
      const range = rangeOf(query)
      const { revisions, total } = await deps.store.list(params, deps.max(), range)
      if (total === 0) await assertEntry(deps, params, principal)
      const shown = (revision: Revision) =>
        query.data === false ? presentSummary(revision) : present(whole(deps, params.type, revision))
      return rangePage(revisions.map(shown), total, range)
    },
  })

const readRoute = (deps: RevisionRoutesDeps) =>
  defineRoute({
    ...readable,
    name: 'content:revisions.read',
    method: 'GET',
    path: '/content/:type/:id/revisions/:revisionId',
    summary: 'Read a revision of an entry',
    params: revisionParams,
    response: revisionSchema,
    handler: async ({ params }) => present(await find(deps, params, params.revisionId)),
  })

const diffRoute = (deps: RevisionRoutesDeps) =>
  defineRoute({
    ...readable,
    name: 'content:revisions.diff',
    method: 'GET',
    path: '/content/:type/:id/revisions/:revisionId/diff',
    summary: 'Compare two revisions',
    description: 'Without `to`, compares with the newest revision.',
    params: revisionParams,
    query: Type.Object({ to: Type.Optional(id) }, strict),
    response: diffSchema,
    async handler({ params, query }) {
      const from = await find(deps, params, params.revisionId)
      if (query.to !== undefined) return diffOf(from, await find(deps, params, query.to))
      const newest = await deps.store.findNewest(params)
      return diffOf(from, newest === undefined ? from : whole(deps, params.type, newest))
    },
  })

const restoreRoute = (deps: RevisionRoutesDeps) =>
  defineRoute({
    ...base,
    policies: ['isAdmin', 'content.update'],
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
      const revision = await stored(deps, params, params.revisionId)
      const type = deps.schemas.types.get(params.type)
      if (type === undefined) throw AppError.notFound(`content type ${params.type}`)
      const write = { type: type.name, id: params.id, principal, ip, ifMatch: request.header('if-match') }
      const { entry, leftOut } = await deps.restorer.restore(write, type, revision)
      return writtenReply(leftOut.length === 0 ? entry : { ...entry, _leftOut: leftOut })
    },
  })

/** The stored revision. @throws AppError 404 */
async function stored(
  { store, max }: RevisionRoutesDeps,
  entry: EntryKey,
  revisionId: number,
): Promise<Revision> {
  const found = await store.find(entry, max(), revisionId)
  if (found === undefined) throw AppError.notFound(`revision ${revisionId} of ${entry.type} ${entry.id}`)
  return found
}

async function find(deps: RevisionRoutesDeps, entry: EntryKey, revisionId: number): Promise<Revision> {
  return whole(deps, entry.type, await stored(deps, entry, revisionId))
}

/** With complete components, as entries are shown. */
function whole({ storedEntries }: RevisionRoutesDeps, type: string, revision: Revision): Revision {
  const data = { ...revision.data }
  storedEntries.completeComponents(type, data)
  return { ...revision, data }
}

/** @throws AppError 404 */
async function assertEntry(
  { content }: RevisionRoutesDeps,
  { type, id }: EntryKey,
  principal: Principal,
): Promise<void> {
  const found = await content.find(type, id, 'fields=id', principal)
  if (found === undefined) throw AppError.notFound(`${type} ${id}`)
}

function present(revision: Revision) {
  return { ...presentSummary(revision), data: revision.data }
}

function presentSummary({ id, version, action, author, createdAt }: Revision) {
  return { id, version, action, author, created_at: createdAt }
}

function diffOf(from: Revision, to: Revision) {
  const names = [...new Set([...Object.keys(from.data), ...Object.keys(to.data)])]
  const fields = names
    .map((field) => ({ field, from: from.data[field] ?? null, to: to.data[field] ?? null }))
    .filter((change) => !isDeepStrictEqual(change.from, change.to))
  return { from: presentSummary(from), to: presentSummary(to), fields }
}
