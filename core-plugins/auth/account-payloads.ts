import { type TSchema, Type } from 'typebox'

/** Of objects that take and give exactly the fields that they name. */
export const strict = { additionalProperties: false } as const

export const emailSchema = Type.String({ format: 'email', maxLength: 255 })

// Without `@`, so that a username can never be somebody's address; without control and format characters,
// which would let two names look the same. Normalising can make a name three times as long, and the column
// holds 255.
export const usernameSchema = Type.String({
  minLength: 1,
  maxLength: 80,
  pattern: '^[^\\s@\\p{C}]+( [^\\s@\\p{C}]+)*$',
  description: 'Letters, digits and signs but `@`, with single spaces between; case counts',
})

/** How long a password may be at all; what new ones must be like is a matter of settings. */
export const passwordSchema = Type.String({ minLength: 1, maxLength: 1024 })

export const identifierSchema = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'E-mail address or username',
})

/** A moment as it is answered. */
export const timestampSchema = Type.String({ format: 'date-time' })

/** A moment as it is taken: not at the ends of time, where an offset leads out of it, and no leap seconds. */
export const momentSchema = Type.String({
  format: 'date-time',
  pattern: '^(?!000|9999)(?!.*:60)',
  examples: ['2026-01-31T08:00:00Z'],
})

export const descriptionSchema = Type.String({ maxLength: 1000 })

export const idParams = Type.Object({ id: Type.Integer({ minimum: 1 }) })

export const rangeQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, description: 'At most 100; 25 unless told otherwise' })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
}

const defaultLimit = 25
const maxLimit = 100

/** The page that a query asks for. */
export function rangeOf(query: { limit?: number; offset?: number }): { limit: number; offset: number } {
  return { limit: Math.min(query.limit ?? defaultLimit, maxLimit), offset: query.offset ?? 0 }
}

/** The columns that both kinds of accounts show. */
export const accountShape = {
  id: Type.Integer(),
  email: Type.String(),
  username: Type.String(),
  role: Type.String(),
  blocked: Type.Boolean(),
  created_at: timestampSchema,
  updated_at: timestampSchema,
}

/** Fields that an answer has and a change ignores, so that what was read can be sent back. */
export function ignored<Name extends string>(...names: Name[]) {
  const fields = names.map((name) => [name, Type.Optional(Type.Unknown({ description: 'Ignored' }))])
  return Object.fromEntries(fields) as Record<Name, TSchema>
}
