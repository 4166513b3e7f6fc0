import {
  AppError,
  type Content,
  defineRoute,
  type Entry,
  type Route,
  type Schemas,
  Type,
} from 'mortise/plugin'
import type { SeoConfig } from './config-schema.ts'
import { limitOf, type MetaPlace, metaPlacesOf } from './meta-fields.ts'

const resultSchema = Type.Object({
  isComplete: Type.Boolean({ description: 'No field has a problem' }),
  fields: Type.Array(
    Type.Object({
      field: Type.String({ examples: ['seo.metaTitle'] }),
      value: Type.Union([Type.String(), Type.Null()]),
      length: Type.Integer(),
      limit: Type.Integer(),
      problem: Type.Union([Type.Literal('empty'), Type.Literal('too-long'), Type.Null()]),
    }),
  ),
})

/** Reports problems with the meta fields of an entry that the caller may read. */
export const checkRoute = (services: { content: Content; schemas: Schemas }, config: SeoConfig): Route =>
  defineRoute({
    name: 'seo:entry.check',
    method: 'GET',
    path: '/check/:type/:id',
    summary: 'Check the meta fields of an entry',
    access: 'permission',
    scope: 'content:read',
    policies: ['content.read'],
    params: Type.Object({ type: Type.String(), id: Type.Integer({ minimum: 1 }) }),
    response: resultSchema,
    async handler({ params, principal }) {
      const { content, schemas } = services
      const type = schemas.types.get(params.type)
      const found = type && (await content.find(params.type, params.id, '', principal))
      if (type === undefined || found === undefined) throw AppError.notFound(`${params.type} ${params.id}`)
      const fields = checkEntry(found.entry, metaPlacesOf(type, schemas), config)
      return { isComplete: fields.every(({ problem }) => problem === null), fields }
    },
  })

/** What there is to say about each meta field of an entry. */
export function checkEntry(entry: Entry, places: readonly MetaPlace[], config: SeoConfig) {
  return places.flatMap(({ field, metaFields }) =>
    metaFields.map((metaField) => {
      const value = valueIn(entry, field, metaField.name)
      const limit = limitOf(metaField, config)
      const path = field === undefined ? metaField.name : `${field}.${metaField.name}`
      return { field: path, value, length: value?.length ?? 0, limit, problem: problemOf(value, limit) }
    }),
  )
}

function valueIn(entry: Entry, field: string | undefined, name: string): string | null {
  const holder = (field === undefined ? entry : entry[field]) as Record<string, unknown> | null | undefined
  const value = holder?.[name]
  return typeof value === 'string' ? value : null
}

function problemOf(value: string | null, limit: number): 'empty' | 'too-long' | null {
  if (value === null || value.trim() === '') return 'empty'
  return value.length > limit ? 'too-long' : null
}
