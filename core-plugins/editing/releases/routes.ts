import { randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import {
  AppError,
  created,
  defineRoute,
  idParams,
  ignored,
  momentSchema,
  orNull,
  type Principal,
  type Route,
  rangeOf,
  rangePage,
  rangeQuery,
  strict,
} from '../../foundation/http/http.ts'
import type { PublishRelease } from './publish.ts'
import {
  checkSchema,
  presentRelease,
  type ReleaseCheck,
  releaseSchema,
  releaseStatuses,
  wholeReleaseSchema,
} from './release.ts'
import type { ReleaseChanges, ReleaseInput } from './release-changes.ts'
import type { ReleaseFilter } from './release-store.ts'
import { nameSchema, reads, releasesPath, writes } from './route-schemas.ts'
import { type WholeReleaseDeps, wholeRelease } from './whole-release.ts'

export interface ReleaseRoutesDeps extends WholeReleaseDeps {
  readonly changes: ReleaseChanges
  readonly publish: PublishRelease
  readonly check: (id: number, principal: Principal) => Promise<ReleaseCheck>
}

/** See docs/editorial.md. */
export function releaseRoutes(deps: ReleaseRoutesDeps): Route[] {
  return [
    listReleases(deps),
    readRelease(deps),
    createRelease(deps),
    updateRelease(deps),
    deleteRelease(deps),
    checkRelease(deps),
    publishRelease(deps),
  ]
}

const listReleases = ({ store, rights }: ReleaseRoutesDeps) =>
  defineRoute({
    ...reads,
    name: 'admin:content-releases.list',
    method: 'GET',
    path: releasesPath,
    summary: 'List releases, newest first',
    query: Type.Object(
      {
        status: Type.Optional(
          Type.Enum([...releaseStatuses, 'open'], { description: '`open`: not published' }),
        ),
        entry: Type.Optional(
          Type.String({
            pattern: '^[a-z][a-z0-9-]{0,63}:[1-9]\\d{0,14}$',
            description: '`article:7` is in it',
          }),
        ),
        ...rangeQuery,
      },
      strict,
    ),
    response: Type.Array(releaseSchema),
    isPaginated: true,
    async handler({ query, principal }) {
      const range = rangeOf(query)
      const entry = query.entry === undefined ? undefined : entryIn(query.entry)
      if (entry !== undefined && !rights.mayKnowOf(principal, entry.contentType))
        return rangePage([], 0, range)
      const { releases, total } = await store.list({ status: query.status, entry }, range)
      const shown = releases.map((release) => presentRelease(rights.shown(release, principal)))
      return rangePage(shown, total, range)
    },
  })

function entryIn(text: string): NonNullable<ReleaseFilter['entry']> {
  const [contentType = '', entryId] = text.split(':')
  return { contentType, entryId: Number(entryId) }
}

const readRelease = (deps: ReleaseRoutesDeps) =>
  defineRoute({
    ...reads,
    name: 'admin:content-releases.read',
    method: 'GET',
    path: `${releasesPath}/:id`,
    summary: 'Read a release with its entries',
    params: idParams,
    response: wholeReleaseSchema,
    handler: ({ params, principal }) => wholeRelease(deps, params.id, principal),
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

const createRelease = ({ changes }: ReleaseRoutesDeps) =>
  defineRoute({
    ...writes,
    name: 'admin:content-releases.create',
    method: 'POST',
    path: releasesPath,
    summary: 'Create a release',
    description: 'With `scheduledAt` it is published at that time, with the entries it then contains.',
    body: Type.Object({ name: nameSchema, scheduledAt: Type.Optional(orNull(momentSchema)) }, strict),
    response: releaseSchema,
    successStatus: 201,
    furtherProblems: ({ body }) => changes.problemsOf(changeOf(body)),
    async handler({ body, principal }) {
      const input = { name: body.name, scheduledAt: momentOf(body.scheduledAt) ?? null }
      return created(presentRelease(await changes.create(input, principal)))
    },
  })

/** Ignored, so that clients can send back what they read. */
const notInput = ignored(
  ...['id', 'status', 'scheduledBy', 'publishedAt', 'error', 'entryCount', 'entries', 'hidden'],
  ...['mayPublish', 'mayDelete', 'created_at', 'updated_at'],
)

const updateRelease = ({ changes, rights }: ReleaseRoutesDeps) =>
  defineRoute({
    ...writes,
    name: 'admin:content-releases.update',
    method: 'PUT',
    path: `${releasesPath}/:id`,
    summary: 'Change the name or the time of a release',
    params: idParams,
    body: Type.Object(
      {
        name: Type.Optional(nameSchema),
        scheduledAt: Type.Optional(orNull(momentSchema)),
        ...notInput,
      },
      strict,
    ),
    response: releaseSchema,
    furtherProblems: ({ params, body }) => changes.problemsOf(changeOf(body), params.id),
    handler: async ({ params, body, principal }) =>
      presentRelease(rights.shown(await changes.update(params.id, changeOf(body), principal), principal)),
  })

const deleteRelease = ({ changes, rights }: ReleaseRoutesDeps) =>
  defineRoute({
    ...writes,
    name: 'admin:content-releases.delete',
    method: 'DELETE',
    path: `${releasesPath}/:id`,
    summary: 'Delete a release; its entries stay as they are',
    params: idParams,
    response: releaseSchema,
    handler: async ({ params, principal }) =>
      presentRelease(rights.shown(await changes.remove(params.id, principal), principal)),
  })

const checkRelease = ({ check, store }: ReleaseRoutesDeps) =>
  defineRoute({
    ...writes,
    name: 'admin:content-releases.check',
    method: 'POST',
    path: `${releasesPath}/:id/check`,
    summary: 'Tell what stops a release, before it is published',
    description: 'Publishes its entries and takes it back, so it costs as much. Nothing changes.',
    params: idParams,
    body: Type.Object({}, strict),
    isBodyOptional: true,
    response: checkSchema,
    async handler({ params, principal }) {
      const { status } = await store.find(params.id)
      if (status !== 'published') return check(params.id, principal)
      throw new AppError('CONFLICT', `release ${params.id} is published`)
    },
  })

const publishRelease = ({ publish, store, items, rights }: ReleaseRoutesDeps) =>
  defineRoute({
    ...writes,
    name: 'admin:content-releases.publish',
    method: 'POST',
    path: `${releasesPath}/:id/publish`,
    summary: 'Publish a release now: all of its entries, or none',
    params: idParams,
    body: Type.Object({}, strict),
    isBodyOptional: true,
    response: releaseSchema,
    async handler({ params: { id }, principal, ip }) {
      await store.find(id)
      // Checked first, so that a forbidden attempt does not leave a failed release behind.
      rights.assertPublisher(principal, await items.types(id))
      return presentRelease(await publish({ id, principal, ip, claim: randomUUID() }))
    },
  })

/** A time in the form in which it is stored; null and undefined stay. */
function momentOf(text: string | null | undefined): string | null | undefined {
  return typeof text === 'string' ? new Date(text).toISOString() : text
}
