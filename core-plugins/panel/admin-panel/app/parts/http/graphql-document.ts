import type { DescribedAttribute, DescribedType } from '../../ground/api/content-types.ts'
import { attributeOf, type ReadRequest } from './read-request.ts'

/** A GraphQL document for the same request, or the parts that GraphQL cannot express. */
export type GraphqlRequest = { readonly document: string } | { readonly unknown: readonly string[] }

/** The fields of entries besides their attributes. Values from plugins are only in REST responses. */
const systemFields: ReadonlySet<string> = new Set([
  'id',
  'uuid',
  'locale',
  'created_at',
  'updated_at',
  'published_at',
])

export function graphqlOf(request: ReadRequest): GraphqlRequest {
  const unknown = [...unknownTo(request)]
  if (unknown.length > 0) return { unknown: [...new Set(unknown)] }
  const { type, id, query } = request
  const isList = id === undefined && type.kind === 'collectionType'
  const { filters, search, locale, draft, sort, limit } = query
  const given = Object.entries({
    id,
    filters: filters && translated(filters, request),
    search,
    locale,
    draft,
    sort,
    limit,
  })
  const present = given.filter(([, value]) => value !== undefined)
  const args = present.map(([name, value]) => `${name}: ${literal(value)}`).join(', ')
  const field = `${isList ? camel(type.info.pluralName) : singularField(type)}${args === '' ? '' : `(${args})`}`
  const fields = fieldsOf(request)
    .map((each) => `      ${each}\n`)
    .join('')
  const page = isList ? '    pagination { total hasMore }\n' : ''
  return { document: `{\n  ${field} {\n    data {\n${fields}    }\n${page}  }\n}\n` }
}

function* unknownTo({ type, query }: ReadRequest): Generator<string> {
  if (query.deleted === true) yield 'deleted'
  const names = [
    ...(query.sort === undefined ? [] : [query.sort.split(':')[0] ?? '']),
    ...comparedIn(query.filters),
  ]
  for (const name of names) {
    const isAdded = type.addedFields?.some((field) => field.name === name) === true
    if (!isAdded && !systemFields.has(name) && attributeOf(type, name) === undefined) yield name
  }
}

/** The top-level fields named in conditions. */
function* comparedIn(node: unknown): Generator<string> {
  if (typeof node !== 'object' || node === null) return
  for (const [name, inner] of Object.entries(node)) {
    const isGroup = Array.isArray(node) || name.startsWith('$')
    if (isGroup) yield* comparedIn(inner)
    else yield name
  }
}

/** Translates conditions to GraphQL: operators without `$`, and related entries compared by `id`. */
function translated(node: unknown, { type, types }: Pick<ReadRequest, 'type' | 'types'>): unknown {
  if (Array.isArray(node)) return node.map((each) => translated(each, { type, types }))
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node).map(([name, inner]) => {
      if (name.startsWith('$')) return [name.slice(1), translated(inner, { type, types })]
      const target = types.find((each) => each.name === attributeOf(type, name)?.target)
      if (target === undefined) return [name, translated(inner, { type, types })]
      return [name, translated(byId(inner as object), { type: target, types })]
    }),
  )
}

const comparesItself = (name: string) => name.startsWith('$') && name !== '$null' && name !== '$notNull'

function byId(condition: object): object {
  const isById = Object.keys(condition).some(comparesItself)
  return isById ? { id: condition } : condition
}

/** The fields to request: for a list its columns, for an entry all; of relations and components only ids. */
function fieldsOf({ type, query }: ReadRequest): string[] {
  const { fields, populate } = query
  const own = fields ?? type.attributes.flatMap(({ name, inverse }) => (inverse === true ? [] : [name]))
  const names = new Set(['id', ...own, ...Object.keys(populate ?? {})])
  return [...names].map((name) => selection(name, attributeOf(type, name)))
}

function selection(name: string, attribute: DescribedAttribute | undefined): string {
  if (attribute?.type === 'dynamicZone') return `${name} { __component }`
  const isObject = attribute?.target !== undefined || attribute?.type === 'component'
  return isObject ? `${name} { id }` : name
}

/** A GraphQL literal, with unquoted names. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{ ${Object.entries(value)
    .map(([name, inner]) => `${name}: ${literal(inner)}`)
    .join(', ')} }`
}

/** The name of the query for one entry; it ends with an underscore if the plural has the same name. */
function singularField({ name, kind, info }: DescribedType): string {
  const field = camel(name)
  return kind === 'collectionType' && field === camel(info.pluralName) ? `${field}_` : field
}

/** Converts `blog-posts` to `blogPosts`. */
function camel(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
  const joined = words.join('')
  return joined.slice(0, 1).toLowerCase() + joined.slice(1)
}
