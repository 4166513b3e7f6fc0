import { Type } from 'typebox'
import { orNull, presenterOf, type RecordOf, strict, timestampSchema } from '../../foundation/http/http.ts'

export const releaseStatuses = ['draft', 'scheduled', 'publishing', 'published', 'failed'] as const

/** See docs/editorial.md. A `failed` release can be fixed and published again. */
export type ReleaseStatus = (typeof releaseStatuses)[number]

/** What a release does with an entry when it is published. */
export type ReleaseAction = 'publish' | 'unpublish'

export const actionSchema = Type.Enum(['publish', 'unpublish'])

const errorSchema = Type.Object(
  {
    message: Type.String(),
    details: Type.Array(
      Type.Object({ path: Type.String(), code: Type.String(), message: Type.String() }, strict),
    ),
  },
  strict,
)

/** Why a release was not published; details name entries as `article:7`. */
export type ReleaseError = RecordOf<typeof errorSchema>

/** Entries to be published or unpublished together, as the API shows them. */
export const releaseSchema = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    status: Type.Enum([...releaseStatuses]),
    scheduledAt: orNull(timestampSchema),
    // Null if no time was set, or if it was set before this was recorded.
    scheduledBy: orNull(
      Type.String({ description: '`admin:3` or `token:7`: entries they may not publish are not published' }),
    ),
    publishedAt: orNull(timestampSchema),
    error: orNull(errorSchema),
    entryCount: Type.Integer(),
    created_at: timestampSchema,
    updated_at: timestampSchema,
  },
  strict,
)

/** Entries that are published or unpublished together. Times are ISO 8601. */
export type Release = RecordOf<typeof releaseSchema>

export const presentRelease = presenterOf(releaseSchema)

export const itemSchema = Type.Object(
  {
    id: Type.Integer(),
    contentType: Type.String(),
    entryId: Type.Integer(),
    action: actionSchema,
    created_at: timestampSchema,
  },
  strict,
)

/** The action of a release on one entry; `contentType` is the singular name of the type. */
export type ReleaseItem = RecordOf<typeof itemSchema>

export const presentItem = presenterOf(itemSchema)

/** A release with its entries, as far as the caller may know them. */
export const wholeReleaseSchema = Type.Object(
  {
    ...releaseSchema.properties,
    entries: Type.Array(
      Type.Object(
        {
          ...itemSchema.properties,
          title: orNull(Type.String()),
          visible: Type.Boolean({
            description: 'The caller can read it; otherwise it is gone, or not theirs',
          }),
        },
        strict,
      ),
    ),
    hidden: Type.Integer({ description: 'Entries of types that the caller may neither read nor publish' }),
    mayPublish: Type.Boolean({ description: 'The caller may publish and schedule it' }),
    mayDelete: Type.Boolean({ description: 'The caller may delete it, and take its time away' }),
  },
  strict,
)

export const presentWholeRelease = presenterOf(wholeReleaseSchema)

const findingSchema = Type.Object(
  {
    itemId: Type.Integer(),
    contentType: Type.String(),
    entryId: Type.Integer(),
    // Codes of problems: `NOT_FOUND`, `UNSUPPORTED`, or the code of the refused write. Codes of conflicts: `OTHER_RELEASE`,
    // `SCHEDULED` (the entry has a time of its own) and `NO_CHANGE`.
    code: Type.String(),
    message: Type.String(),
    // The other release that contains the entry.
    release: Type.Optional(
      Type.Object({ id: Type.Integer(), name: Type.String(), scheduledAt: orNull(timestampSchema) }, strict),
    ),
    // The time that the entry itself is scheduled for.
    at: Type.Optional(timestampSchema),
  },
  strict,
)

/** Something that prevents an entry from being published (a problem), or that may be unintended (a conflict). */
export type ItemFinding = RecordOf<typeof findingSchema>

/** `ready`: nothing prevents the publication, and the user or token that scheduled it may publish all entries. */
export const checkSchema = Type.Object(
  {
    ready: Type.Boolean(),
    problems: Type.Array(findingSchema),
    conflicts: Type.Array(findingSchema, { description: 'They stop nothing' }),
    callerLacks: Type.Array(Type.String(), { description: 'Types that the caller may not publish' }),
    schedulerLacks: Type.Array(Type.String(), {
      description: 'Types that whoever has scheduled it may not publish',
    }),
    // The number of entries of types that the caller may not know about.
    hidden: Type.Object({ count: Type.Integer(), problems: Type.Integer() }, strict),
  },
  strict,
)

/** What prevents a release from being published, as far as the caller may know it. */
export type ReleaseCheck = RecordOf<typeof checkSchema>
