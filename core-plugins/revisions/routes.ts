import { isDeepStrictEqual } from 'node:util'
import { Type } from 'typebox'
import { writtenReply } from '../content/content.ts'
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
import type { RevisionAccess } from './revision-access.ts'
import type { RevisionStore } from './revision-store.ts'
import type { EntryKey, Revision } from './revisions.ts'

export interface RevisionRoutesDeps {
  readonly store: RevisionStore
  readonly restorer: Restorer
  readonly access: RevisionAccess
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

/** For administrators, or editors as well, with the same permission on the entries. */
const base = { tag: 'Revisions', access: 'permission', scope: 'admin:*' } as const
const readable = { ...base, policies: ['content.revisions', 'content.read'] } as const

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
      const { access } = deps
      const range = rangeOf(query)
      const { revisions, total } = await deps.store.list(params, deps.max(), range)
      await (total === 0 ? access.assertEntry(params, principal) : access.assertVisible(params, principal))
      if (query.data === false) return rangePage(revisions.map(presentSummary), total, range)
      const shown = await access.shown(params, revisions, principal)
      return rangePage(shown.map(present), total, range)
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
    async handler({ params, principal }) {
      const [revision] = await find(deps, params, principal, [params.revisionId])
      return present(revision)
    },
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
    async handler({ params, query, principal }) {
      const newest = query.to === undefined ? await deps.store.findNewest(params) : undefined
      const to = query.to ?? newest?.id ?? params.revisionId
      const [from, other] = await find(deps, params, principal, [params.revisionId, to])
      return diffOf(from, other)
    },
  })

const restoreRoute = (deps: RevisionRoutesDeps) =>
  defineRoute({
    ...base,
    policies: ['content.revisions', 'content.update'],
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
      const whole = await stored(deps, params, params.revisionId)
      await deps.access.assertVisible(params, principal)
      const revision = await deps.access.restorable(params, whole, principal)
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

/** Revisions as the caller may see them. @throws AppError 404 */
async function find<const Ids extends readonly number[]>(
  deps: RevisionRoutesDeps,
  entry: EntryKey,
  principal: Principal,
  ids: Ids,
): Promise<{ [Index in keyof Ids]: Revision }> {
  const { access } = deps
  const found: Revision[] = []
  for (const id of ids) found.push(await stored(deps, entry, id))
  await access.assertVisible(entry, principal)
  return (await access.shown(entry, found, principal)) as { [Index in keyof Ids]: Revision }
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
