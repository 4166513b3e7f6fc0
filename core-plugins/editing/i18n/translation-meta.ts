import { type Static, Type } from 'typebox'
import { orNull, type RecordOf, strict, timestampSchema } from '../../foundation/http/http.ts'

/** Specification, "Other state sets". */
export const translationStatuses = ['draft', 'in_review', 'approved', 'published', 'outdated'] as const

/** The progress of a translation; `outdated`: its source has changed since. */
export type TranslationStatus = (typeof translationStatuses)[number]

export const statusSchema = Type.Unsafe<TranslationStatus>(
  Type.Union(translationStatuses.map((status) => Type.Literal(status))),
)

/** Translation status of one version of an entry. */
export const translationMetaSchema = Type.Object(
  {
    id: Type.Integer(),
    status: statusSchema,
    // The locale of the source.
    sourceLocale: Type.String(),
    // Null also for callers who do not see drafts.
    notes: orNull(Type.String()),
    // When status or notes last changed.
    updated_at: timestampSchema,
  },
  strict,
)

/** Translation status of one version of an entry; times are ISO 8601. */
export type TranslationMeta = Readonly<Static<typeof translationMetaSchema>>

/** A translation beside its source, field by field: all localised attributes, in the order of the type. */
export const localizationDiffSchema = Type.Object(
  {
    sourceLocale: Type.String(),
    locale: Type.String(),
    fields: Type.Array(
      Type.Object(
        {
          field: Type.String(),
          source: Type.Unknown(),
          translation: Type.Unknown(),
          same: Type.Boolean(),
          // Always false for translations that are up to date.
          changed: Type.Boolean({
            description: 'Whether the source has changed since the translation was up to date',
          }),
          before: Type.Optional(
            Type.Unknown({
              description: 'What the source was then; missing where that was too long to be kept',
            }),
          ),
        },
        strict,
      ),
    ),
  },
  strict,
)

/** A translation beside its source, field by field. */
export type LocalizationDiff = RecordOf<typeof localizationDiffSchema>
