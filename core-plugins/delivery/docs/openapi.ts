import type { TSchema } from 'typebox'
import {
  anyScope,
  type Http,
  type Route,
  type RouteVariant,
  unavailableReasons,
} from '../../foundation/http/http.ts'
import { type JsonSchema, SchemaCollection } from './schema-collection.ts'

/** One method of a path in the OpenAPI document (https://spec.openapis.org/oas/v3.1.1#operation-object). */
export interface OpenApiOperation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly parameters: readonly object[]
  readonly requestBody?: object
  readonly responses: Readonly<Record<string, object>>
  readonly security: readonly object[]
  readonly servers?: readonly object[]
}

/** https://spec.openapis.org/oas/v3.1.1 */
export interface OpenApiDocument {
  readonly openapi: '3.1.1'
  readonly info: object
  readonly servers: readonly object[]
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  readonly components: object
}

/** The title of the document, from the configured name of the site. */
export interface ApiTitle {
  readonly title: string
  readonly description: string
}

/** A route in one of its variants. */
export interface ShownRoute {
  readonly route: Route
  readonly variant: RouteVariant
}

/** All active routes in all their variants. */
export function shownRoutes(http: Http): ShownRoute[] {
  return http.routes.flatMap((route) =>
    (route.document?.() ?? [variantOf(route)]).map((variant) => ({ route, variant })),
  )
}

/** Describes routes. */
export function describeApi(
  http: Http,
  shown: readonly ShownRoute[],
  { title, description }: ApiTitle,
): OpenApiDocument {
  const schemas = new SchemaCollection()
  const paths: Record<string, Record<string, OpenApiOperation>> = {}
  const tags = new Set<string>()
  for (const { route, variant } of shown) {
    const path = variant.path.replace(/:(\w+)/g, '{$1}').replace('*', '{path}')
    const operations = paths[path] ?? {}
    // A route at the root may have the same path as one below the API prefix; the document can show only one.
    operations[route.method.toLowerCase()] ??= describeOperation(route, variant, schemas)
    paths[path] = operations
    tags.add(variant.tag)
  }
  return schemas.resolve({
    openapi: '3.1.1',
    info: {
      title: title || 'Mortise',
      version: '1',
      description: description || 'Content, accounts and operations of this deployment.',
    },
    servers: [{ url: http.apiPrefix }],
    tags: [...tags].sort().map((name) => ({ name })),
    paths,
    components: {
      schemas: { ...schemas.named, ApiError: errorSchema, Pagination: paginationSchema },
      responses: { Error: errorResponse },
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token of a login, or an API token (`mor_…`).',
        },
      },
    },
  })
}

/** The default variant shows a route unchanged. */
function variantOf(route: Route): RouteVariant {
  const { name, path, summary, params, query, body, response } = route
  return {
    name,
    path,
    summary,
    tag: route.tag ?? capitalized(name.split(':')[0] ?? name),
    ...(params === undefined ? {} : { params }),
    ...(query === undefined ? {} : { query }),
    ...(body === undefined ? {} : { body }),
    ...(response === undefined ? {} : { response }),
  }
}

function describeOperation(route: Route, variant: RouteVariant, schemas: SchemaCollection): OpenApiOperation {
  const content = bodyContent(route, variant, schemas)
  return {
    operationId: variant.name.replace(/[^A-Za-z0-9]+/g, '_'),
    summary: variant.summary,
    ...describeAccess(route),
    tags: [variant.tag],
    parameters: [
      ...pathParameters(variant, schemas),
      ...queryParameters(variant.query, schemas),
      ...(route.takesIfMatch === true ? [ifMatch] : []),
      ...(route.takesAutosave === true ? [autosave] : []),
    ],
    ...(content === undefined ? {} : { requestBody: { required: route.isBodyOptional !== true, content } }),
    responses: {
      [String(route.successStatus ?? 200)]: describeSuccess(route, variant.response, schemas),
      default: describeFailure(route),
    },
    security: route.access === 'open' ? [] : [{ bearer: [] }],
    ...(route.mountedAt === 'root' ? { servers: [{ url: '/' }] } : {}),
  }
}

const accessTexts: Readonly<Record<Route['access'], string>> = {
  open: 'Needs no credentials.',
  user: 'For signed-in content users.',
  'admin-user': 'For signed-in admin users.',
  area: 'For the admin roles `admin` and `super-admin`.',
  'super-admin': 'For super-admins.',
  permission: 'For roles with the permission.',
}

function describeAccess({ access, scope, description }: Route): { description: string } {
  const anyOf = [scope ?? []].flat()
  const isOpen = access === 'open' || anyOf.length === 0 || anyOf.includes(anyScope)
  const token = isOpen ? '' : ` API tokens need the scope ${anyOf.map((each) => `\`${each}\``).join(' or ')}.`
  return {
    description: `${description === undefined ? '' : `${description}\n\n`}${accessTexts[access]}${token}`,
  }
}

const ifMatch = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: 'The ETag of a read: 412 when the entry has changed since',
  schema: { type: 'string' },
}

const autosave = {
  name: 'X-Autosave',
  in: 'header',
  required: false,
  description: "`1`: joins the last revision, if it is the caller's own and younger than ten minutes",
  schema: { type: 'string' },
}

function pathParameters({ path, params }: RouteVariant, schemas: SchemaCollection): object[] {
  const known = propertiesOf(params)
  const names = [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')
  if (path.includes('*')) names.push('path')
  return names.map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: schemas.add(known[name] ?? { type: 'string' }),
  }))
}

function queryParameters(query: TSchema | undefined, schemas: SchemaCollection): object[] {
  const required = (query as JsonSchema | undefined)?.required ?? []
  return Object.entries(propertiesOf(query)).map(([name, schema]) => ({
    name,
    in: 'query',
    required: (required as readonly string[]).includes(name),
    ...(typeof schema.description === 'string' ? { description: schema.description } : {}),
    schema: schemas.add(schema),
    // `filters[title][$eq]=x`, which the standard defines for one level only, although clients nest it.
    ...(takesObject(schema) ? { style: 'deepObject', explode: true } : {}),
  }))
}

function takesObject({ type, anyOf = [] }: JsonSchema): boolean {
  return type === 'object' || (anyOf as readonly JsonSchema[]).some(takesObject)
}

function propertiesOf(schema: TSchema | undefined): Record<string, JsonSchema> {
  return ((schema as JsonSchema | undefined)?.properties ?? {}) as Record<string, JsonSchema>
}

/** The content of a body by media type; undefined for routes without a body. */
function bodyContent(route: Route, variant: RouteVariant, schemas: SchemaCollection): object | undefined {
  const types = route.bodyTypes ?? singleType(route, variant.body ?? route.body)
  if (types === undefined) return undefined
  const described = Object.entries(types).map(([mediaType, schema]) => [
    mediaType,
    { schema: schemas.add(schema as JsonSchema) },
  ])
  return Object.fromEntries(described)
}

function singleType({ bodyMode }: Route, body: TSchema | undefined): Route['bodyTypes'] {
  if (body === undefined) return undefined
  return { [bodyMode === 'stream' ? 'multipart/form-data' : 'application/json']: body }
}

function describeFailure(route: Route): object {
  if (route.tellError === undefined) return { $ref: '#/components/responses/Error' }
  return { description: 'An error of the protocol', content: { 'application/json': {} } }
}

function describeSuccess(route: Route, response: TSchema | undefined, schemas: SchemaCollection): object {
  if (route.rawResponse !== undefined) {
    return { description: 'As requested', content: { [route.rawResponse]: {} } }
  }
  const data = response === undefined ? {} : schemas.add(response as JsonSchema)
  const isPaginated = route.isPaginated === true || (response as JsonSchema | undefined)?.type === 'array'
  return {
    description: 'Success',
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['success', 'data'],
          properties: {
            success: { const: true },
            data,
            ...(isPaginated ? { pagination: { $ref: '#/components/schemas/Pagination' } } : {}),
          },
        },
      },
    },
  }
}

const paginationSchema = {
  type: 'object',
  required: ['limit', 'hasMore'],
  properties: {
    total: { type: 'integer' },
    limit: { type: 'integer' },
    offset: { type: 'integer' },
    hasMore: { type: 'boolean' },
    nextCursor: { type: ['string', 'null'] },
    since: { type: 'string', description: 'Of a snapshot: the cursor of the change feed to go on from' },
    next: { type: 'string', description: 'The path to ask for next, with its query' },
  },
}

const errorSchema = {
  type: 'object',
  required: ['success', 'error'],
  properties: {
    success: { const: false },
    error: {
      type: 'object',
      required: ['code', 'message', 'requestId'],
      properties: {
        code: { type: 'string', examples: ['VALIDATION_ERROR'] },
        reason: { enum: unavailableReasons, description: 'Of each 503: why, for programs' },
        message: { type: 'string' },
        details: {
          type: 'array',
          items: {
            type: 'object',
            required: ['path', 'code', 'message'],
            properties: { path: { type: 'string' }, code: { type: 'string' }, message: { type: 'string' } },
          },
        },
        requestId: { type: 'string' },
      },
    },
  },
}

const errorResponse = {
  description: 'Refused or failed; `error.code` says why, `error.details` names every problem of the input',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/ApiError' } } },
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
