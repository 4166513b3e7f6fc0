import { type TSchema, Type } from 'typebox'

/**
 * A parameter that takes an object in brackets, as JSON text, or in a short form. Generated clients can often send nothing but
 * text, so that is described as well.
 */
export function objectOrText(object: TSchema, description?: string): TSchema {
  const alternatives = [object, Type.String()]
  return Type.Union(alternatives, description === undefined ? {} : { description })
}
