import { type TSchema, Type } from 'typebox'
import { page, type Reply } from './reply.ts'

/** Of objects that take and give exactly the fields that they name. */
export const strict = { additionalProperties: false } as const

/** A moment as it is answered. */
export const timestampSchema = Type.String({ format: 'date-time' })

/** A moment as it is taken: not at the ends of time, where an offset leads out of it, and no leap seconds. */
export const momentSchema = Type.String({
  format: 'date-time',
  pattern: '^(?!000|9999)(?!.*:60)',
  examples: ['2026-01-31T08:00:00Z'],
})

/**
 * A text that every database stores: without NUL and halves of surrogate pairs. Where it may not be empty it may not
 * be blank either.
 */
export function textSchema({ minLength = 0, maxLength }: { minLength?: number; maxLength: number }) {
  const notBlank = minLength > 0 ? '(?=[^]*\\S)' : ''
  return Type.String({ minLength, maxLength, pattern: `^${notBlank}[^\\u0000\\ud800-\\udfff]*$` })
}

/** The parameters of a path that ends in an id. */
export const idParams = Type.Object({ id: Type.Integer({ minimum: 1 }) })

/** An id in a query or a body. Larger ones could not be told apart, and PostgreSQL has none. */
export const idSchema = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

/** The query parameters of an offset page. */
export const rangeQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, description: 'At most 100; 25 unless told otherwise' })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
}

/** Which part of a list is asked for. */
export interface Range {
  readonly limit: number
  readonly offset: number
}

const defaultLimit = 25
const maxLimit = 100

/** The range that a query with the parameters of `rangeQuery` asks for. */
export function rangeOf(query: { limit?: number; offset?: number }): Range {
  return { limit: Math.min(query.limit ?? defaultLimit, maxLimit), offset: query.offset ?? 0 }
}

/** The answer with one range of a list that has `total` items. */
export function rangePage(items: readonly unknown[], total: number, range: Range): Reply {
  return page(items, { total, ...range, hasMore: range.offset + items.length < total })
}

/** Fields that an answer has and a change ignores, so that what was read can be sent back. */
export function ignored<Name extends string>(...names: Name[]) {
  const fields = names.map((name) => [name, Type.Optional(Type.Unknown({ description: 'Ignored' }))])
  return Object.fromEntries(fields) as Record<Name, TSchema>
}
