import { repairWrite, type Schemas, type WriteContext, type WriteStage } from 'mortise/plugin'
import type { SeoConfig } from './config-schema.ts'
import { limitOf, type MetaField, type MetaPlace, metaPlacesOf } from './meta-fields.ts'
import { plainText, shorten } from './shorten.ts'

type Values = Readonly<Record<string, unknown>>

/** Fills meta fields that a write leaves empty, before the entry is checked. */
export function fillMetaFields(schemas: Schemas, config: SeoConfig): WriteStage {
  const placesOf = new Map(
    [...schemas.types.values()].map((type) => [type.name, metaPlacesOf(type, schemas)]),
  )
  return {
    name: 'seo: fill meta fields',
    matches: ({ type, operation }) =>
      ['create', 'update'].includes(operation) && (placesOf.get(type.name) ?? []).length > 0,
    run(context, next) {
      const isPayload = typeof context.data === 'object' && context.data !== null
      if (config.fill && isPayload && !context.annotations.has(repairWrite)) {
        for (const place of placesOf.get(context.type.name) ?? []) fillPlace(place, context, config)
      }
      return next()
    },
  }
}

function fillPlace(place: MetaPlace, context: WriteContext, config: SeoConfig) {
  const { data, before } = context
  // An update that does not concern these fields must not change them.
  if (before !== undefined && !concerns(place, data)) return
  const after: Values = { ...before, ...data }
  const holder = place.field === undefined ? after : (after[place.field] ?? {})
  if (typeof holder !== 'object' || Array.isArray(holder)) return
  const filled = Object.fromEntries(
    place.metaFields.flatMap((field) => {
      const value = suggested(field, { holder: holder as Values, after, place, context, config })
      return value === undefined ? [] : [[field.name, value]]
    }),
  )
  if (Object.keys(filled).length === 0) return
  if (place.field === undefined) context.data = { ...data, ...filled }
  else if (after[place.field] != null || place.required.every((name) => name in filled)) {
    context.data = { ...data, [place.field]: { ...holder, ...filled } }
  }
}

function concerns({ field, metaFields }: MetaPlace, data: Values): boolean {
  if (field !== undefined && field in data) return true
  return metaFields.some(
    ({ name, source }) => (field === undefined && name in data) || (source ?? '') in data,
  )
}

interface Filling {
  readonly holder: Values
  readonly after: Values
  readonly place: MetaPlace
  readonly context: WriteContext
  readonly config: SeoConfig
}

/** The value for a field that is empty, or that still has its filled-in value after its source changed. */
function suggested(field: MetaField, { holder, after, place, context, config }: Filling): string | undefined {
  const { data, before } = context
  const present = holder[field.name]
  const isSent = place.field === undefined ? field.name in data : place.field in data
  const isStale = !isSent && before !== undefined && present === suggestion(field, before, config)
  const isEmpty = present === undefined || present === null || present === ''
  if (!isEmpty && !isStale) return undefined
  const value = suggestion(field, after, config)
  return value === '' || value === present ? undefined : value
}

function suggestion(field: MetaField, entry: Values, config: SeoConfig): string {
  const text = field.source === undefined ? undefined : entry[field.source]
  if (typeof text !== 'string') return ''
  const value = shorten(plainText(text), limitOf(field, config))
  return value.length < (field.attribute.minLength ?? 0) ? '' : value
}
