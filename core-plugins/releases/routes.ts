import { randomUUID } from 'node:crypto'
import { type TSchema, Type } from 'typebox'
import type { Auth } from '../auth/auth.ts'
import {
  created,
  defineRoute,
  idParams,
  idSchema,
  ignored,
  momentSchema,
  type Principal,
  type Route,
  rangeOf,
  rangePage,
  rangeQuery,
  strict,
  textSchema,
  timestampSchema,
} from '../http/http.ts'
import type { PublishRelease } from './publish.ts'
import type { ReleaseChanges, ReleaseInput } from './release-changes.ts'
import type { ReleaseStore } from './release-store.ts'
import type { Release, ReleaseItem } from './releases.ts'

const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
const name = textSchema({ minLength: 1, maxLength: 255 })
const status = Type.Enum(['draft', 'scheduled', 'publishing', 'published', 'failed'])
const action = Type.Enum(['publish', 'unpublish'])

const errorSchema = Type.Object(
  {
    message: Type.String(),
    details: Type.Array(
      Type.Object({ path: Type.String(), code: Type.String(), message: Type.String() }, strict),
    ),
  },
  strict,
)
const releaseShape = {
  id: Type.Integer(),
  name: Type.String(),
  status,
  scheduledAt: orNull(timestampSchema),
  scheduledBy: orNull(
    Type.String({ description: '`admin:3` or `token:7`: entries they may not publish are not published' }),
  ),
  publishedAt: orNull(timestampSchema),
  error: orNull(errorSchema),
  entryCount: Type.Integer(),
  created_at: timestampSchema,
  updated_at: timestampSchema,
}
const itemSchema = Type.Object(
  {
    id: Type.Integer(),
    contentType: Type.String(),
    entryId: Type.Integer(),
    action,
    created_at: timestampSchema,
  },
  strict,
)
const releaseSchema = Type.Object(releaseShape, strict)
const wholeSchema = Type.Object({ ...releaseShape, entries: Type.Array(itemSchema) }, strict)

const path = '/admin/content-releases'
const read = { tag: 'Content releases', access: 'area', scope: 'admin:releases:read' } as const
const write = { tag: 'Content releases', access: 'area', scope: 'admin:releases:write' } as const

export interface ReleaseRoutesDeps {
  readonly auth: Auth
  readonly store: ReleaseStore
  readonly changes: ReleaseChanges
  readonly publish: PublishRelease
}

/** See docs/editorial.md. */
export function releaseRoutes(deps: ReleaseRoutesDeps): Route[] {
  return [...readRoutes(deps), ...changeRoutes(deps), ...itemRoutes(deps)]
}

function readRoutes(deps: ReleaseRoutesDeps): Route[] {
  return [listReleases(deps), readRelease(deps)]
}

const listReleases = ({ store }: ReleaseRoutesDeps) =>
  defineRoute({
    ...read,
    name: 'admin:content-releases.list',
    method: 'GET',
    path,
    summary: 'List releases, newest first',
    query: Type.Object({ status: Type.Optional(status), ...rangeQuery }, strict),
    response: Type.Array(releaseSchema),
    isPaginated: true,
    async handler({ query }) {
      const range = rangeOf(query)
      const { releases, total } = await store.list(query.status, range)
      return rangePage(releases.map(present), total, range)
    },
  })

const readRelease = ({ auth, store }: ReleaseRoutesDeps) =>
  defineRoute({
    ...read,
    name: 'admin:content-releases.read',
    method: 'GET',
    path: `${path}/:id`,
    summary: 'Read a release with its entries',
    params: idParams,
    response: wholeSchema,
    async handler({ params, principal }) {
      const release = await store.find(params.id)
      const items = await store.items(params.id)
      const shown = items.filter(({ contentType }) => mayKnowOf(auth, principal, contentType))
      return { ...present(release), entries: shown.map(presentItem) }
    },
  })

/** The changed input of a release; fields that were not sent stay unchanged. */
function changeOf({
  name,
  scheduledAt,
}: {
  name?: string
  scheduledAt?: string | null
}): Partial<ReleaseInput> {
  const moment = momentOf(scheduledAt)
  return {
    ...(name === undefined ? {} : { name }),
    ...(moment === undefined ? {} : { scheduledAt: moment }),
  }
}

function changeRoutes(deps: ReleaseRoutesDeps): Route[] {
  return [createRelease(deps), updateRelease(deps), deleteRelease(deps), publishRelease(deps)]
}

const createRelease = ({ changes }: ReleaseRoutesDeps) =>
  defineRoute({
    ...write,
    name: 'admin:content-releases.create',
    method: 'POST',
    path,
    summary: 'Create a release',
    description: 'With `scheduledAt` it is published at that time, with the entries it then contains.',
    body: Type.Object({ name, scheduledAt: Type.Optional(orNull(momentSchema)) }, strict),
    response: releaseSchema,
    successStatus: 201,
    furtherProblems: ({ body }) => changes.problemsOf(changeOf(body)),
    async handler({ body, principal }) {
      const input = { name: body.name, scheduledAt: momentOf(body.scheduledAt) ?? null }
      return created(present(await changes.create(input, principal)))
    },
  })

const updateRelease = ({ changes }: ReleaseRoutesDeps) =>
  defineRoute({
    ...write,
    name: 'admin:content-releases.update',
    method: 'PUT',
    path: `${path}/:id`,
    summary: 'Change the name or the time of a release',
    params: idParams,
    body: Type.Object(
      {
        name: Type.Optional(name),
        scheduledAt: Type.Optional(orNull(momentSchema)),
        ...ignored(
          'id',
          'status',
          'scheduledBy',
          'publishedAt',
          'error',
          'entryCount',
          'entries',
          'created_at',
          'updated_at',
        ),
      },
      strict,
    ),
    response: releaseSchema,
    furtherProblems: ({ params, body }) => changes.problemsOf(changeOf(body), params.id),
    handler: async ({ params, body, principal }) =>
      present(await changes.update(params.id, changeOf(body), principal)),
  })

const deleteRelease = ({ changes }: ReleaseRoutesDeps) =>
  defineRoute({
    ...write,
    name: 'admin:content-releases.delete',
    method: 'DELETE',
    path: `${path}/:id`,
    summary: 'Delete a release; its entries stay as they are',
    params: idParams,
    response: releaseSchema,
    handler: async ({ params }) => present(await changes.remove(params.id)),
  })

const publishRelease = ({ publish }: ReleaseRoutesDeps) =>
  defineRoute({
    ...write,
    name: 'admin:content-releases.publish',
    method: 'POST',
    path: `${path}/:id/publish`,
    summary: 'Publish a release now: all of its entries, or none',
    params: idParams,
    body: Type.Object({}, strict),
    isBodyOptional: true,
    response: releaseSchema,
    handler: async ({ params, principal, ip }) =>
      present(await publish({ id: params.id, principal, ip, claim: randomUUID() })),
  })

function itemRoutes(deps: ReleaseRoutesDeps): Route[] {
  return [addEntry(deps), removeEntry(deps)]
}

const addEntry = ({ changes }: ReleaseRoutesDeps) =>
  defineRoute({
    ...write,
    name: 'admin:content-releases.add-entry',
    method: 'POST',
    path: `${path}/:id/entries`,
    summary: 'Add an entry to a release',
    params: idParams,
    body: Type.Object(
      { contentType: Type.String({ maxLength: 64 }), entryId: idSchema, action: Type.Optional(action) },
      strict,
    ),
    response: itemSchema,
    successStatus: 201,
    async handler({ params, body, principal }) {
      const item = {
        contentType: body.contentType,
        entryId: body.entryId,
        action: body.action ?? 'publish',
      }
      return created(presentItem(await changes.addItem(params.id, item, principal)))
    },
  })

const removeEntry = ({ changes }: ReleaseRoutesDeps) =>
  defineRoute({
    ...write,
    name: 'admin:content-releases.remove-entry',
    method: 'DELETE',
    path: `${path}/:id/entries/:itemId`,
    summary: 'Remove an entry from a release',
    params: Type.Object({ id: idSchema, itemId: idSchema }),
    response: Type.Object({ id: Type.Integer() }, strict),
    async handler({ params }) {
      await changes.removeItem(params.id, params.itemId)
      return { id: params.itemId }
    },
  })

/** A caller who may publish a type may also see its entries in releases. */
function mayKnowOf(auth: Auth, principal: Principal, type: string): boolean {
  return auth.mayContent(principal, type, 'read') || auth.mayContent(principal, type, 'publish')
}

/** In the form in which times are stored; null and undefined stay. */
function momentOf(text: string | null | undefined): string | null | undefined {
  return typeof text === 'string' ? new Date(text).toISOString() : text
}

function present(release: Release) {
  const { createdAt, updatedAt, ...shown } = release
  return { ...shown, created_at: createdAt, updated_at: updatedAt }
}

function presentItem({ createdAt, ...item }: ReleaseItem) {
  return { ...item, created_at: createdAt }
}
