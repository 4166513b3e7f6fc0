import { Type } from 'typebox'
import {
  AppError,
  defineRoute,
  idSchema,
  type Principal,
  type Route,
  strict,
} from '../../foundation/http/http.ts'
import type { ContentType, Schemas } from '../../foundation/schemas/schemas.ts'
import { type EntryUsageParts, findUsage } from './entry-usage.ts'
import { maxFound } from './referring.ts'

export interface UsageRouteParts extends EntryUsageParts {
  readonly schemas: Schemas
}

const usageSchema = Type.Object(
  {
    type: Type.String(),
    field: Type.String({ description: 'As `populate` names it: `blocks.author`' }),
    isDraft: Type.Boolean({ description: 'In pending drafts, and not in the entries themselves' }),
    effect: Type.Enum(['CASCADE', 'SET NULL', 'RESTRICT', 'NONE']),
    count: Type.Integer({ maximum: maxFound }),
    hasMore: Type.Boolean({ description: 'There are more than `count`' }),
    entries: Type.Array(
      Type.Object(
        {
          id: Type.Integer(),
          title: Type.Union([Type.String(), Type.Null()]),
          isInTrash: Type.Boolean(),
        },
        strict,
      ),
    ),
  },
  strict,
)

const deletionSchema = Type.Object(
  {
    toTrash: Type.Boolean(),
    isRefused: Type.Boolean(),
    heldBy: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'For administrators: tables without a type any more whose rows keep it, if there are any',
      }),
    ),
    deletes: Type.Array(Type.Object({ type: Type.String(), count: Type.Integer() }, strict)),
    isComplete: Type.Boolean({ description: 'False: more may be deleted than was counted' }),
  },
  strict,
)

/** See docs/content-api.md. */
export function usageRoute(parts: UsageRouteParts): Route {
  const { schemas } = parts
  return defineRoute({
    name: 'content:usage.read',
    method: 'GET',
    path: '/content/:type/:id/usage',
    tag: 'Content',
    summary: 'Where an entry is used, and what deleting it would do',
    description: 'Counts only entries that the caller may read.',
    access: 'permission',
    scope: 'content:read',
    policies: ['content.read', 'content.drafts'],
    params: Type.Object({ type: Type.String(), id: idSchema }),
    query: Type.Object(
      {
        limit: Type.Integer({ minimum: 0, maximum: 100, default: 10, description: 'Entries for each field' }),
      },
      strict,
    ),
    response: Type.Object({ usages: Type.Array(usageSchema), deletion: deletionSchema }, strict),
    async handler({ params: { type: name, id }, query: { limit }, principal }) {
      const type = schemas.types.get(name)
      if (type === undefined) throw AppError.notFound(`content type ${name}`)
      await assertVisible(parts, type, id, principal)
      return findUsage(parts, { type, id, principal, limit })
    },
  })
}

/** Administrators may also ask about entries in the trash. @throws AppError 404 */
async function assertVisible(
  { auth, content }: UsageRouteParts,
  { name, options }: ContentType,
  id: number,
  principal: Principal,
): Promise<void> {
  if ((await content.find(name, id, 'fields=id', principal)) !== undefined) return
  const mayBeInTrash = options.softDelete && auth.isAdministrator(principal)
  const trashed = mayBeInTrash && (await content.find(name, id, 'fields=id&deleted=true', principal))
  if (!trashed) throw AppError.notFound(`${name} ${id}`)
}
