import {
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
} from 'graphql'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'
import { federationFields } from '../federation/federation-fields.ts'
import { addedArguments } from './added-arguments.ts'
import { answerType } from './answer-type.ts'
import { changedField } from './change-types.ts'
import { filtersType } from './filter-types.ts'
import { componentInputs, inputType, updateInputType } from './input-types.ts'
import { rootMeaning, type UsableRoot, type WriteVerb } from './meaning.ts'
import { listOf, objectType } from './object-types.ts'
import { paginationType } from './pagination-type.ts'
import { booleanScalar, dateTimeScalar, idScalar, intScalar, stringScalar } from './scalars.ts'
import { hasLocales, type SchemaParts } from './schema-parts.ts'

type Fields = GraphQLFieldConfigMap<unknown, unknown>
type Field = GraphQLFieldConfig<unknown, unknown>

/** The schema of all content types, or of the part that `may` permits. */
export function buildSchema(given: Omit<SchemaParts, 'once'>): GraphQLSchema {
  const parts: SchemaParts = { ...given, once: keepNamed() }
  const types = [...parts.schemas.types.values()]
  const { pluginFields, features } = parts
  const query: Fields = Object.assign(
    {},
    ...types.map((type) => queryFields(type, parts)),
    usable(pluginFields.query, parts),
    features.query(parts),
    federationFields(parts),
  )
  const mutation: Fields = Object.assign(
    {},
    ...types.map((type) => mutationFields(type, parts)),
    usable(pluginFields.mutation, parts),
    features.mutation(parts),
  )
  const subscription: Fields = parts.hasSubscriptions
    ? Object.assign({}, ...types.map((type) => changedField(type, parts)))
    : {}
  return new GraphQLSchema({
    // Blocks are scalars in this schema, so no other type refers to these inputs.
    types: parts.purpose === 'served' ? componentInputs(parts) : [],
    // A schema must have at least one query.
    query: new GraphQLObjectType({ name: 'Query', fields: Object.keys(query).length > 0 ? query : nothing }),
    ...(Object.keys(mutation).length > 0
      ? { mutation: new GraphQLObjectType({ name: 'Mutation', fields: mutation }) }
      : {}),
    ...(Object.keys(subscription).length > 0
      ? { subscription: new GraphQLObjectType({ name: 'Subscription', fields: subscription }) }
      : {}),
  })
}

function usable(fields: Fields, { mayUse }: SchemaParts): Fields {
  const left = Object.entries(fields).filter(([, { extensions }]) => {
    const { root } = extensions as { readonly root: UsableRoot }
    return mayUse(root)
  })
  return Object.fromEntries(left)
}

const nothing: Fields = { nothing: { type: booleanScalar, description: 'There are no content types.' } }

function keepNamed(): SchemaParts['once'] {
  const made = new Map<string, GraphQLNamedType>()
  return (name, make) => {
    const present = made.get(name)
    if (present !== undefined) return present as ReturnType<typeof make>
    const type = make()
    made.set(name, type)
    return type
  }
}

function queryFields(type: ContentType, parts: SchemaParts): Fields {
  if (!parts.may(type.name, 'read')) return {}
  const { listField, findField } = parts.names.ofType(type)
  const answer = answerType(type, parts)
  if (type.kind === 'singleType') {
    const single = {
      type: answer,
      args: { ...addedArguments(parts.addedParameters(type.name)), ...shownArguments(type, parts) },
    }
    return { [findField]: { ...single, ...rootMeaning({ kind: 'single', type: type.name }) } }
  }
  const find: Field = {
    type: answer,
    description: `One of ${type.pluralName}; data is null where there is none.`,
    args: {
      ...addedArguments(parts.addedParameters(type.name)),
      id: { type: idScalar, description: 'This or the UUID' },
      uuid: { type: stringScalar },
      ...trashArgument(type),
      ...shownArguments(type, parts),
    },
    ...rootMeaning({ kind: 'find', type: type.name }),
  }
  return { [listField]: listFieldOf(type, parts), [findField]: find }
}

function trashArgument({ options }: ContentType) {
  return options.softDelete
    ? { deleted: { type: booleanScalar, description: 'What is in the trash; for administrators' } }
    : {}
}

function draftArgument({ name }: ContentType, { keepsDrafts }: SchemaParts) {
  return keepsDrafts(name)
    ? { draft: { type: booleanScalar, description: 'With the drafts beside entries in them' } }
    : {}
}

function listFieldOf(type: ContentType, parts: SchemaParts): Field {
  return {
    type: pageType(type, parts),
    args: {
      ...addedArguments(parts.addedParameters(type.name)),
      filters: { type: filtersType(type, parts) },
      sort: { type: stringScalar, description: '`rank:desc`, or several: `featured:desc,title`' },
      limit: { type: intScalar },
      offset: { type: intScalar },
      cursor: {
        type: stringScalar,
        description: 'In place of offset: empty first, then pagination.nextCursor',
      },
      search: { type: stringScalar, description: 'Words that must all occur' },
      typos: { type: booleanScalar, description: '`search` also finds words with typing errors' },
      published: { type: booleanScalar, description: 'False: drafts only' },
      ...trashArgument(type),
      ...shownArguments(type, parts),
    },
    ...rootMeaning({ kind: 'list', type: type.name }),
  }
}

/** The arguments that choose which version of entries is shown. */
const shownArguments = (type: ContentType, parts: SchemaParts) => ({
  ...draftArgument(type, parts),
  ...localeArguments(type, parts),
})

/** For types whose entries have a locale, or have relations to such types. */
function localeArguments(type: ContentType, parts: SchemaParts): NonNullable<Field['args']> {
  if (!hasLocales(type, parts)) {
    const related = 'The locale in which related entries are shown'
    return parts.takes(type.name, 'locale') ? { locale: { type: stringScalar, description: related } } : {}
  }
  const description = 'Where there is nothing in the locale, the default locale stands in'
  return { locale: { type: stringScalar }, fallback: { type: booleanScalar, description } }
}

function pageType(type: ContentType, parts: SchemaParts): GraphQLObjectType {
  const { page } = parts.names.ofType(type)
  return parts.once(
    page,
    () =>
      new GraphQLObjectType({
        name: page,
        fields: () => ({
          data: { type: listOf(objectType(type, parts)) },
          pagination: { type: new GraphQLNonNull(paginationType(parts)) },
        }),
      }),
  )
}

/** The mutations of a type, see docs/graphql.md; types without drafts have no mutations to publish. */
function mutationFields(type: ContentType, parts: SchemaParts): Fields {
  const isSingle = type.kind === 'singleType'
  const id = { id: { type: new GraphQLNonNull(idScalar) } }
  const locale = hasLocales(type, parts) ? { locale: { type: stringScalar } } : {}
  const onEntry = isSingle ? locale : id
  const data = { data: { type: new GraphQLNonNull(inputType(type, parts)) } }
  const change = { data: { type: new GraphQLNonNull(updateInputType(type, parts)) } }
  const times = {
    publishedAt: { type: dateTimeScalar, description: 'In the future: scheduled' },
    unpublishAt: { type: dateTimeScalar, description: 'Until then; null: without an end' },
  }
  const args: Readonly<Record<WriteVerb, Field['args']>> = {
    create: data,
    update: { ...onEntry, ...change },
    delete: onEntry,
    publish: { ...onEntry, ...times },
    unpublish: onEntry,
  }
  const fields = (Object.keys(args) as WriteVerb[]).flatMap((verb) => {
    const offered = parts.operations.find(({ name }) => name === verb)
    if (offered === undefined || !offered.isOf(type) || !parts.may(type.name, offered.right)) return []
    return [[verb, offered.right] as const]
  })
  return Object.fromEntries(
    fields.map(([verb, right]): [string, Field] => [
      `${verb}${parts.names.ofType(type).verbObject}`,
      {
        type: answerType(type, parts),
        ...(args[verb] === undefined ? {} : { args: args[verb] }),
        ...rootMeaning({ kind: verb, type: type.name, isSingle, right }),
      },
    ]),
  )
}
