import { type TSchema, Type } from 'typebox'

/** Whether a schema describes a returned entry, the payload of a new entry, or the payload of a change. */
export type Purpose = 'entry' | 'input' | 'update'

export const momentSchema = Type.String({ format: 'date-time' })

/** `schema`, or null. */
export function nullable(schema: TSchema): TSchema {
  return Type.Union([schema, Type.Null()])
}
