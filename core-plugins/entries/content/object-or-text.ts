import { type TSchema, Type } from 'typebox'

/**
 * A parameter given as an object in brackets, as JSON text or in a short form. Generated clients can often send only text, so the
 * schema allows that as well.
 */
export function objectOrText(object: TSchema, description?: string): TSchema {
  const alternatives = [object, Type.String()]
  return Type.Union(alternatives, description === undefined ? {} : { description })
}
