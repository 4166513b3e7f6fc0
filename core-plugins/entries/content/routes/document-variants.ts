import { type TSchema, Type } from 'typebox'
import type { RouteVariant } from '../../../foundation/http/http.ts'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'

interface Description {
  readonly summary: string
  readonly query?: TSchema
  readonly body?: TSchema
  readonly response: TSchema
}

/** The variants of a route, evaluated once, when the document is generated. */
export function variants(
  types: readonly ContentType[],
  name: string,
  suffix: string,
  describe: (type: ContentType) => Description,
): () => readonly RouteVariant[] {
  return () =>
    types.map((type) => ({
      name: `content:${type.name}.${name}`,
      path: `/content/${type.name}${suffix}`,
      tag: type.displayName,
      params: paramsIn(suffix),
      values: { type: type.name },
      ...describe(type),
    }))
}

function paramsIn(suffix: string): TSchema {
  return Type.Object({
    ...(suffix.includes(':id') ? { id: Type.Integer({ minimum: 1 }) } : {}),
    ...(suffix.includes(':field') ? { field: Type.String() } : {}),
  })
}
