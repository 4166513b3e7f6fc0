import { isDeepStrictEqual } from 'node:util'
import type { Route } from '../../foundation/http/http.ts'
import type { ShownRoute } from '../docs/docs.ts'
import { fileBodySchema } from './file-body.ts'
import { formSchema } from './multipart.ts'
import type { JsonSchema } from './tool.ts'

/** The arguments of a tool, grouped by part of the request. */
export interface ToolInput {
  readonly schema: JsonSchema
  readonly params: ReadonlySet<string>
  readonly query: ReadonlySet<string>
  readonly takesBody: boolean
  readonly takesIfMatch: boolean
}

/** With more types, tools refer to `list_types` instead of listing all of them. */
const maxListedTypes = 40

/** The maximum length of a schema in the tool list, in characters; for longer ones agents use `describe_type`. */
const maxSchemaLength = 1_500

/** The arguments of a tool: path, query and, as `data`, the body of its route, for all variants that the caller may use. */
export function toolInput(route: Route, shown: readonly ShownRoute[]): ToolInput {
  const params = pathProperties(route, shown)
  const query = merged(shown.map(({ variant }) => propertiesOf(variant.query)))
  const body = bodyProperty(route, shown)
  const takesIfMatch = route.takesIfMatch === true
  return {
    schema: {
      type: 'object',
      required: [...Object.keys(params), ...requiredQuery(shown), ...requiredBody(route, body)],
      properties: {
        ...params,
        ...query,
        ...(body === undefined ? {} : { data: body }),
        ...(takesIfMatch ? { ifMatch } : {}),
      },
      additionalProperties: false,
    },
    params: new Set(Object.keys(params)),
    query: new Set(Object.keys(query)),
    takesBody: body !== undefined,
    takesIfMatch,
  }
}

const ifMatch = {
  type: 'string',
  description: 'The etag of a read: refused if the entry has changed since',
}

type Properties = Readonly<Record<string, JsonSchema>>

function propertiesOf(schema: unknown): Properties {
  return ((schema as JsonSchema | undefined)?.properties ?? {}) as Properties
}

function pathProperties(route: Route, shown: readonly ShownRoute[]): Properties {
  const known = { ...propertiesOf(route.params), ...propertiesOf(shown[0]?.variant.params) }
  const names = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')
  const values = (name: string) => [...new Set(shown.flatMap(({ variant }) => variant.values?.[name] ?? []))]
  return Object.fromEntries(names.map((name) => [name, pathProperty(values(name), known[name])]))
}

function pathProperty(values: readonly string[], known: JsonSchema | undefined): JsonSchema {
  if (values.length === 0) return known ?? { type: 'string' }
  if (values.length > maxListedTypes) return { type: 'string', description: 'A type of list_types' }
  return { type: 'string', enum: values }
}

/** Parts that differ between variants are left open, and described per type. */
function merged(all: readonly Properties[]): Properties {
  const result: Record<string, JsonSchema> = {}
  for (const properties of all) {
    for (const [name, schema] of Object.entries(properties)) {
      const known = result[name]
      if (known === undefined) result[name] = brief(schema)
      else if (!isDeepStrictEqual(known, brief(schema))) result[name] = outlineOf(known)
    }
  }
  return result
}

function brief(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema)
  if (text.length > maxSchemaLength || /"(?:\$ref|\$id|x-schema)"/.test(text)) return outlineOf(schema)
  return JSON.parse(text)
}

function outlineOf({ type, description }: JsonSchema): JsonSchema {
  return {
    ...(typeof type === 'string' ? { type } : {}),
    ...(typeof description === 'string' ? { description } : {}),
  }
}

function requiredQuery(shown: readonly ShownRoute[]): readonly string[] {
  const [first] = shown
  return ((first?.variant.query as JsonSchema | undefined)?.required ?? []) as readonly string[]
}

function requiredBody(route: Route, body: JsonSchema | undefined): readonly string[] {
  return body === undefined || route.isBodyOptional === true ? [] : ['data']
}

function bodyProperty(route: Route, shown: readonly ShownRoute[]): JsonSchema | undefined {
  if (route.bodyTypes !== undefined) return fileBodySchema(route.bodyTypes)
  if (route.body === undefined) return undefined
  const bodies = shown.map(({ variant }) => (variant.body ?? route.body) as JsonSchema)
  const [first, ...others] = bodies
    .map((body) => (route.bodyMode === 'stream' ? formSchema(body) : body))
    .map(brief)
  if (first === undefined) return undefined
  return others.every((other) => isDeepStrictEqual(other, first)) ? first : outlineOf(first)
}
