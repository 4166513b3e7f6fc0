import {
  EntryReference,
  type GraphqlFeature,
  type GraphqlFeatureFields,
} from '../../delivery/graphql/graphql.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'
import { isLocalized } from './columns.ts'
import type { Localizations, TranslationStatus } from './i18n.ts'
import { createAccess, readAccess, statusAccess, statusChangeSchema } from './routes.ts'

const types = `
  enum TranslationStatus { draft in_review approved published outdated }
  type TranslationMeta {
    locale: String!
    id: Int!
    status: TranslationStatus!
    "The locale of the version that the others are translated from." sourceLocale: String!
    notes: String
    updated_at: DateTime!
  }
  type LocalizationDiff { sourceLocale: String! locale: String! fields: [LocalizationDiffField!]! }
  type LocalizationDiffField {
    field: String!
    source: JSON
    translation: JSON
    same: Boolean!
    "Whether the source has changed since the translation was up to date." changed: Boolean!
    "What the source was then; null where that was too long to be kept." before: JSON
  }`

/** Localisation over GraphQL, for types with versions in several locales. */
export function localizationFeature(localizations: Localizations): GraphqlFeature {
  return {
    types,
    ofType(type, { object, updateInput, findField }) {
      if (type.system || !isLocalized(type)) return {}
      return {
        types: `
          type ${object}Localizations { localizations: [${object}!]! translationMeta: [TranslationMeta!]! }
          type ${object}Localization { data: ${object} }`,
        ...queriesOf(type, { object, findField }, localizations),
        mutations: {
          [`create${object}Localization`]: {
            type: `${object}Localization`,
            description: 'Creates a version of an entry in another locale; what versions share is copied',
            arguments: `id: ID!, locale: String!, data: ${updateInput}`,
            ...createAccess,
            async resolve({ id, locale, data }, { principal, ip }) {
              const request = { type: type.name, id: Number(id), principal, ip }
              const entry = await localizations.create(request, { ...(data as object), locale })
              return { data: new EntryReference(type.name, entry.id, entry) }
            },
          },
          [`set${object}TranslationStatus`]: {
            type: 'TranslationMeta',
            description: 'Sets the status of a translation; notes that are left out stay as they are',
            arguments: 'id: ID!, status: TranslationStatus!, notes: String',
            ...statusAccess,
            takes: statusChangeSchema,
            nullable: ['notes'],
            resolve({ id, status, notes }, { principal, ip }) {
              const change = {
                status: status as TranslationStatus,
                notes: notes as string | null | undefined,
              }
              return localizations.setStatus({ type: type.name, id: Number(id), principal, ip }, change)
            },
          },
        },
      }
    },
  }
}

function queriesOf(
  type: ContentType,
  { object, findField }: { readonly object: string; readonly findField: string },
  localizations: Localizations,
): GraphqlFeatureFields {
  return {
    queries: {
      [`${findField}Localizations`]: {
        type: `${object}Localizations`,
        description: 'All versions of an entry that the caller may see, the source first',
        arguments: 'id: ID!',
        ...readAccess,
        async resolve({ id }, { principal }) {
          const found = await localizations.list({ type: type.name, id: Number(id), principal })
          const meta = Object.entries(found.translationMeta)
          return {
            localizations: found.localizations.map((entry) => new EntryReference(type.name, entry.id)),
            translationMeta: meta.map(([locale, each]) => ({ locale, ...each })),
          }
        },
      },
      [`${findField}LocalizationDiff`]: {
        type: 'LocalizationDiff',
        description: 'Compares a translation with its source',
        arguments: 'id: ID!',
        ...readAccess,
        resolve: ({ id }, { principal }) =>
          localizations.diff({ type: type.name, id: Number(id), principal }),
      },
    },
  }
}
