import type { Entry, OfferedOperation, OperationMutation } from '../../entries/content/content.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'
import {
  EntryReference,
  type GraphqlFeature,
  type GraphqlFeatureField,
  type GraphqlTypeNames,
} from './features.ts'
import { isEnumValue } from './schema/enum-value.ts'

/** The mutations of content besides those of single entries, generated from the descriptions of the operations. */
export function contentMutations(operations: readonly OfferedOperation[]): GraphqlFeature {
  return {
    types: `
      type BulkWrite { count: Int! ids: [Int!]! "By which it can be undone; null where the caller could not." batch: WriteBatch }
      type WriteBatch { id: String! expires_at: DateTime! }
      type EmptiedTrash { count: Int! ids: [Int!]! "Whether there is more to be emptied." hasMore: Boolean! }`,
    ofType: (type, names) => (type.system ? {} : fieldsOf(type, names, operations)),
  }
}

function fieldsOf(type: ContentType, names: GraphqlTypeNames, operations: readonly OfferedOperation[]) {
  const relations = relationsOf(type)
  const relationEnum = `${names.object}Relation`
  const known = {
    updateInput: names.updateInput,
    relations: relations.length === 0 ? undefined : relationEnum,
  }
  const fields = operations.flatMap((operation) => {
    const { isOf, mutation } = operation
    const taken = isOf(type) ? mutation?.arguments(known) : undefined
    if (mutation === undefined || taken === undefined) return []
    return [[mutation.name(names.object), fieldOf(type, names, operation, { ...mutation, taken })]]
  })
  return {
    types: relations.length === 0 ? '' : `enum ${relationEnum} { ${relations.join(' ')} }`,
    attributeTypes: [relationEnum],
    mutations: Object.fromEntries(fields),
  }
}

/** Relations, including inverse ones. */
const relationsOf = ({ attributes }: ContentType) =>
  [...attributes.values()]
    .filter(({ type, name, private: isPrivate }) => type === 'relation' && !isPrivate && isEnumValue(name))
    .map(({ name }) => name)

type OfferedMutation = OperationMutation & {
  /** The arguments, in GraphQL's schema language. */
  readonly taken: string
}

function fieldOf(
  type: ContentType,
  names: GraphqlTypeNames,
  { scope, policies, run }: OfferedOperation,
  { answer, description, takes, writes, resolve, taken }: OfferedMutation,
): GraphqlFeatureField {
  const isEntry = answer === 'entry'
  return {
    type: isEntry ? names.answer : answer,
    description,
    arguments: taken,
    ...{ access: 'permission', scope, policies },
    ...(takes && { takes }),
    ...(writes && { effort: (args) => ({ writes: writes(args) }) }),
    async resolve(args, { principal, ip }) {
      const answered = await resolve(args, { type: type.name, principal, ip }, run)
      if (!isEntry) return answered
      const entry = answered as Entry
      return { data: new EntryReference(type.name, entry.id, entry) }
    },
  }
}
