import { Type } from 'typebox'
import type { UndoableWrites, WriteRequest } from '../../../entries/content/content.ts'
import { idSchema } from '../../../foundation/http/http.ts'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'
import type {
  GraphqlFeatureCaller,
  GraphqlFeatureField,
  GraphqlFeatureFieldsByName,
  GraphqlTypeNames,
} from '../features.ts'

/** As many as the routes take. */
const takes = Type.Object({ ids: Type.Array(idSchema, { minItems: 1, maxItems: 1_000 }) })

const idsIn = ({ ids }: Readonly<Record<string, unknown>>) => ids as readonly number[]

/** Writes of many entries at once, all or none. */
export function bulkFields(
  type: ContentType,
  { object, updateInput }: GraphqlTypeNames,
  writes: UndoableWrites,
): GraphqlFeatureFieldsByName {
  if (type.kind !== 'collectionType') return {}
  const base = {
    type: 'BulkWrite',
    arguments: 'ids: [ID!]!',
    access: 'permission',
    takes,
    effort: (args: Readonly<Record<string, unknown>>) => ({ writes: idsIn(args).length }),
  } as const
  const writeOf = ({ principal, ip }: GraphqlFeatureCaller): WriteRequest => ({
    type: type.name,
    principal,
    ip,
  })
  const publication = { ...base, scope: 'content:publish', policies: ['content.publish'] } as const
  const publications: Readonly<Record<string, GraphqlFeatureField>> = {
    [`bulkPublish${object}`]: {
      ...publication,
      description: 'Publishes entries now, all or none',
      resolve: (args, caller) => writes.publishMany(writeOf(caller), idsIn(args)),
    },
    [`bulkUnpublish${object}`]: {
      ...publication,
      description: 'Unpublishes entries, all or none',
      resolve: (args, caller) => writes.unpublishMany(writeOf(caller), idsIn(args)),
    },
  }
  return {
    [`bulkUpdate${object}`]: {
      ...base,
      arguments: `ids: [ID!]!, data: ${updateInput}!`,
      description: 'Makes the same change to entries, all or none',
      scope: 'content:write',
      policies: ['content.update'],
      resolve: (args, caller) => writes.updateMany(writeOf(caller), idsIn(args), args.data),
    },
    [`bulkDelete${object}`]: {
      ...base,
      description: 'Deletes entries, all or none',
      scope: 'content:delete',
      policies: ['content.delete'],
      resolve: (args, caller) => writes.deleteMany(writeOf(caller), idsIn(args)),
    },
    ...(type.options.draftAndPublish ? publications : {}),
  }
}
