import {
  GraphQLEnumType,
  type GraphQLFieldConfigMap,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
} from 'graphql'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'
import { changeNames } from '../plan/entry-event.ts'
import { addedArguments } from './added-arguments.ts'
import { rootMeaning } from './meaning.ts'
import { objectType } from './object-types.ts'
import { booleanScalar, idScalar, intScalar, stringScalar } from './scalars.ts'
import { hasLocales, type SchemaParts } from './schema-parts.ts'

type Fields = GraphQLFieldConfigMap<unknown, unknown>

/** The field of `Subscription` for a type: `articleChanged`. */
export function changedField(type: ContentType, parts: SchemaParts): Fields {
  if (!parts.may(type.name, 'read')) return {}
  const { changedField: name } = parts.names.ofType(type)
  const description = `What happens to ${type.pluralName}, as far as the subscriber sees it.`
  return {
    [name]: {
      type: changeType(type, parts),
      description,
      args: argumentsOf(type, parts),
      ...rootMeaning({ kind: 'changed', type: type.name }),
    },
  }
}

function argumentsOf(type: ContentType, parts: SchemaParts): NonNullable<Fields[string]['args']> {
  const takesLocale = hasLocales(type, parts) || parts.takes(type.name, 'locale')
  return {
    ...addedArguments(parts.addedParameters(type.name)),
    ...(type.kind === 'singleType'
      ? {}
      : {
          ids: {
            type: new GraphQLList(new GraphQLNonNull(idScalar)),
            description: 'Only these; default: all',
          },
        }),
    ...(takesLocale ? { locale: { type: stringScalar } } : {}),
    ...(parts.keepsDrafts(type.name)
      ? { draft: { type: booleanScalar, description: 'Drafts beside entries, too' } }
      : {}),
    since: { type: stringScalar, description: 'The cursor of the last event that is known; default: now' },
  }
}

function changeType(type: ContentType, parts: SchemaParts): GraphQLObjectType {
  const { change } = parts.names.ofType(type)
  return parts.once(
    change,
    () =>
      new GraphQLObjectType({
        name: change,
        fields: () => ({
          cursor: {
            type: new GraphQLNonNull(stringScalar),
            description: 'Sent as `since`, it is where a later subscription goes on',
          },
          change: { type: new GraphQLNonNull(changeKind(parts)) },
          id: { type: new GraphQLNonNull(intScalar) },
          entry: {
            type: objectType(type, parts),
            description: 'As the subscriber sees it now; null where it is gone',
          },
        }),
      }),
  )
}

const descriptions = {
  CREATED: 'The subscriber sees it from now on',
  UPDATED: 'It may be different',
  DELETED: 'The subscriber does not see it any more',
}

function changeKind(parts: SchemaParts): GraphQLEnumType {
  const name = parts.names.changeKind
  const values = changeNames.map((each) => [each, { description: descriptions[each] }])
  return parts.once(name, () => new GraphQLEnumType({ name, values: Object.fromEntries(values) }))
}
