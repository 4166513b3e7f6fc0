import { type TSchema, type TSchemaOptions, Type } from 'typebox'
import { page, type Reply } from '../answers/reply.ts'

/** For objects with exactly the fields that they name. */
export const strict = { additionalProperties: false } as const

/** A timestamp in answers. */
export const timestampSchema = Type.String({ format: 'date-time' })

/** For fields of answers that may be empty. */
export const orNull = <Schema extends TSchema>(schema: Schema, options: TSchemaOptions = {}) =>
  Type.Union([schema, Type.Null()], options)

/**
 * A timestamp in input, without leap seconds, and not so close to the limits of the range that its offset leads
 * beyond them.
 */
export const momentSchema = Type.String({
  format: 'date-time',
  pattern: '^(?!000|9999)(?!.*:60)',
  examples: ['2026-01-31T08:00:00Z'],
})

/**
 * A text that every database can store: no NUL, no lone surrogates. If it must not be empty, it must not be
 * blank either.
 */
export function textSchema({ minLength = 0, maxLength }: { minLength?: number; maxLength: number }) {
  const notBlank = minLength > 0 ? '(?=[^]*\\S)' : ''
  return Type.String({ minLength, maxLength, pattern: `^${notBlank}[^\\u0000\\ud800-\\udfff]*$` })
}

/** The parameters of a path that ends in an id. */
export const idParams = Type.Object({ id: Type.Integer({ minimum: 1 }) })

/** An id in a query or a body. Larger ids lose precision as numbers, and PostgreSQL does not support them. */
export const idSchema = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

/** The query parameters of a page by offset. */
export const rangeQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, description: 'At most 100; default 25' })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
}

/** The requested part of a list. */
export interface Range {
  readonly limit: number
  readonly offset: number
}

const defaultLimit = 25
const maxLimit = 100

/** Returns the range that a query with the parameters of `rangeQuery` asks for. */
export function rangeOf(query: { limit?: number; offset?: number }): Range {
  return { limit: Math.min(query.limit ?? defaultLimit, maxLimit), offset: query.offset ?? 0 }
}

/** Creates the answer with one range of a list of `total` items. */
export function rangePage(items: readonly unknown[], total: number, range: Range): Reply {
  return page(items, { total, ...range, hasMore: range.offset + items.length < total })
}

/** Fields that occur in answers and are ignored in updates, so that an answer can be sent back unchanged. */
export function ignored<Name extends string>(...names: Name[]) {
  const fields = names.map((name) => [name, Type.Optional(Type.Unknown({ description: 'Ignored' }))])
  return Object.fromEntries(fields) as Record<Name, TSchema>
}

/** Bytes: a file in a form, or a whole body. Client generators recognise `format`; the rest is the standard's way. */
export const bytesSchema: TSchema = Type.Unsafe<unknown>({
  type: 'string',
  format: 'binary',
  contentMediaType: 'application/octet-stream',
})
