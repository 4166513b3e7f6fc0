import { isDeepStrictEqual } from 'node:util'
import { type Static, Type } from 'typebox'
import { type Content, type StoredEntries, writtenReply } from '../../entries/content/content.ts'
import type { Database } from '../../foundation/database/database.ts'
import {
  AppError,
  defineRoute,
  type Principal,
  type Route,
  strict,
  timestampSchema,
} from '../../foundation/http/http.ts'

const params = Type.Object({ type: Type.String(), id: Type.Integer({ minimum: 1 }) })

/** The values that differ between an entry and its draft. */
export const draftChangesSchema = Type.Object(
  {
    fields: Type.Array(
      Type.Object({ field: Type.String(), live: Type.Unknown(), draft: Type.Unknown() }, strict),
    ),
    updated_at: timestampSchema,
  },
  strict,
)

export type DraftChanges = Static<typeof draftChangesSchema>

/** Compares an entry with its draft. @throws AppError 403, 404 */
export type FindChanges = (
  entry: { readonly type: string; readonly id: number },
  principal: Principal,
) => Promise<DraftChanges>

export const readAccess = {
  access: 'permission',
  scope: 'content:read',
  policies: ['content.read', 'content.drafts'],
} as const

export const discardAccess = {
  access: 'permission',
  scope: 'content:write',
  policies: ['content.update', 'content.drafts'],
} as const

const base = { tag: 'Drafts', path: '/content/:type/:id/draft', params } as const

export interface DraftRoutesDeps {
  readonly content: Content
  readonly findChanges: FindChanges
}

export function createFindChanges(
  content: Content,
  storedEntries: StoredEntries,
  database: Database,
): FindChanges {
  return async ({ type, id }, principal) => {
    const live = await content.find(type, id, '', principal)
    const draft = live && (await storedEntries.drafts(type, [id], database)).get(id)
    const drafted = draft && (await content.find(type, id, 'draft=true', principal))
    if (!live || !draft || !drafted) throw AppError.notFound(`draft of ${type} ${id}`)
    const fields = Object.keys(draft.values)
      .map((field) => ({ field, live: live.entry[field], draft: drafted.entry[field] }))
      .filter((change) => !isDeepStrictEqual(change.live, change.draft))
    return { fields, updated_at: draft.updatedAt }
  }
}

/**
 * Saving a draft is an update of its entry, and reading an entry with its draft is a read: see `core-plugins/entries/content/`.
 */
export function draftRoutes({ content, findChanges }: DraftRoutesDeps): Route[] {
  return [
    defineRoute({
      ...base,
      ...readAccess,
      name: 'content:drafts.read',
      method: 'GET',
      summary: 'Compare the pending draft of an entry with the entry',
      response: draftChangesSchema,
      handler: ({ params, principal }) => findChanges(params, principal),
    }),
    defineRoute({
      ...base,
      ...discardAccess,
      name: 'content:drafts.discard',
      method: 'DELETE',
      summary: 'Discard the pending draft of an entry',
      description: 'Returns the entry, which stays unchanged.',
      takesIfMatch: true,
      async handler(request) {
        const { principal, ip } = request
        const ifMatch = request.header('if-match')
        return writtenReply(await content.discard({ ...request.params, principal, ip, ifMatch }))
      },
    }),
  ]
}
