import { emptyTrashQuery, type Trash, trashedUntil } from '../../../entries/content/content.ts'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'
import {
  EntryReference,
  type GraphqlFeatureField,
  type GraphqlFeatureFieldsByName,
  type GraphqlTypeNames,
} from '../features.ts'

const administration = {
  access: 'permission',
  scope: 'content:delete',
  policies: ['content.delete', 'content.administrate'],
} as const

/** As many as the route deletes. */
const maxEmptied = 1_000

/** For administrators: entries that are gone for good, and what is in the trash of types that have one. */
export function trashFields(
  type: ContentType,
  names: GraphqlTypeNames,
  trash: Trash,
): GraphqlFeatureFieldsByName {
  const { object, answer } = names
  const ofEntry = (verb: 'restore' | 'purge', description: string): GraphqlFeatureField => ({
    ...administration,
    type: answer,
    description,
    arguments: 'id: ID!',
    async resolve({ id }, { principal, ip }) {
      const entry = await trash[verb]({ type: type.name, id: Number(id), principal, ip })
      return { data: new EntryReference(type.name, entry.id, entry) }
    },
  })
  const inTrash: GraphqlFeatureFieldsByName = {
    [`restore${object}`]: ofEntry('restore', 'Takes an entry out of the trash'),
    [`empty${object}Trash`]: {
      ...administration,
      type: 'EmptiedTrash',
      description: 'Deletes up to a thousand entries of the trash for good',
      arguments: 'olderThanDays: Int',
      takes: emptyTrashQuery,
      effort: () => ({ writes: maxEmptied }),
      async resolve({ olderThanDays }, { principal, ip }) {
        const until = trashedUntil(olderThanDays as number | undefined)
        const { ids, hasMore } = await trash.emptyTrash({ type: type.name, principal, ip }, until)
        return { count: ids.length, ids, hasMore }
      },
    },
  }
  return {
    [`purge${object}`]: ofEntry('purge', 'Deletes an entry for good, whether it is in the trash or not'),
    ...(type.options.softDelete ? inTrash : {}),
  }
}
