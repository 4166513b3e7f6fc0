import type { Trash, UndoableWrites, UnguardedContent } from '../../../entries/content/content.ts'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'
import type { GraphqlFeature, GraphqlTypeNames } from '../features.ts'
import { bulkFields } from './bulk-fields.ts'
import { linkFields, relationEnum, relationEnumName } from './link-fields.ts'
import { trashFields } from './trash-fields.ts'

export interface ContentFeatureDeps {
  /** The rules of the fields check permissions. */
  readonly content: UnguardedContent
  readonly undoableWrites: UndoableWrites
  readonly trash: Trash
}

/** Mutations of entries beyond those of one entry: many at once, single relations, and the trash. */
export function contentFeature(deps: ContentFeatureDeps): GraphqlFeature {
  return {
    types: `
      type BulkWrite { count: Int! ids: [Int!]! "By which it can be undone; null where the caller could not." batch: WriteBatch }
      type WriteBatch { id: String! expires_at: DateTime! }
      type EmptiedTrash { count: Int! ids: [Int!]! "Whether there is more to be emptied." hasMore: Boolean! }`,
    ofType: (type, names) => (type.system ? {} : fieldsOf(type, names, deps)),
  }
}

function fieldsOf(type: ContentType, names: GraphqlTypeNames, deps: ContentFeatureDeps) {
  return {
    types: relationEnum(type, names),
    attributeTypes: [relationEnumName(names)],
    mutations: {
      ...bulkFields(type, names, deps.undoableWrites),
      ...linkFields(type, names, deps.content),
      ...trashFields(type, names, deps.trash),
    },
  }
}
