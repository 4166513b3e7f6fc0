import { Type } from 'typebox'
import { strict, timestampSchema } from '../../foundation/http/http.ts'

export const sectionSchema = Type.String({
  maxLength: 100,
  pattern: '^[a-z][A-Za-z0-9_.-]*(:[A-Za-z0-9_.-]+)?$',
  description: '`content:<type>`, `media`, `roles` …',
})
export const keySchema = Type.String({ maxLength: 255, description: 'A UUID, or a name' })
export const hashSchema = Type.String({ maxLength: 43 })
export const environmentSchema = Type.String({ format: 'uuid' })

export const besideSchema = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
  maxItems: 20,
  uniqueItems: true,
  description: 'What belongs to entries beside themselves: workflow, translation, unpublishing …',
})

export const nameSchema = Type.Object({ section: sectionSchema, key: keySchema }, strict)
export const orNone = Type.Union([hashSchema, Type.Null()])
export const agreementsSchema = Type.Array(
  Type.Object({ key: keySchema, own: orNone, theirs: orNone, agreedAt: timestampSchema }, strict),
)

const sectionDescriptionSchema = Type.Object(
  {
    name: sectionSchema,
    group: Type.String({ description: '`content`, `media`, `roles` …: what is transferred together' }),
    isStep: Type.Boolean({ description: 'Applied by itself, and before the others' }),
    refusal: Type.Union([Type.String(), Type.Null()], {
      description: 'Why you cannot have anything of it written here',
    }),
    beside: Type.Optional(besideSchema),
  },
  strict,
)

const fileSchema = Type.Object(
  {
    name: Type.String(),
    hash: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 in hexadecimal digits' }),
    size: Type.Integer({ description: 'Bytes' }),
  },
  strict,
)

const authorSchema = Type.Object(
  { kind: Type.String({ maxLength: 20 }), username: Type.String({ maxLength: 255 }) },
  { ...strict, description: 'Who changed it last, if that is known, for callers who see drafts' },
)

const itemSchema = Type.Object(
  {
    ...{ key: keySchema, hash: hashSchema, label: Type.Union([Type.String(), Type.Null()]) },
    value: Type.Object({}),
    file: Type.Optional(fileSchema),
    references: Type.Array(nameSchema),
    changedAt: Type.Union([timestampSchema, Type.Null()]),
    changedBy: Type.Optional(authorSchema),
  },
  strict,
)

/** Describes an environment. */
export const descriptionSchema = Type.Object(
  {
    environment: environmentSchema,
    version: Type.String(),
    sections: Type.Array(sectionDescriptionSchema),
  },
  strict,
)

export const versionsSchema = Type.Array(Type.Object({ key: keySchema, hash: hashSchema }, strict))

export const recordsSchema = Type.Object(
  {
    items: Type.Array(itemSchema),
    rest: Type.Array(keySchema, { description: 'For which the answer had no room: ask for them again' }),
  },
  strict,
)
