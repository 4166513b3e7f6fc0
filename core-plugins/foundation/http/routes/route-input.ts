import { LRUCache } from 'lru-cache'
import { upTo } from '../../../../kernel/index.ts'
import { AppError } from '../answers/app-error.ts'
import { parseQueryString } from '../requests/query-string.ts'
import { assertValid, bodyValidator, textValidator, type Validator, whenNeeded } from '../validation.ts'
import type { Route } from './route.ts'

/** Validates and converts the path parameters, in place. @throws AppError 404 */
export type ParamsReader = (params: Record<string, string>) => Record<string, string>

/** @throws AppError 400 */
export type QueryReader = (rawQuery: string) => Record<string, unknown>

/** The canonical spelling of an integer, so that each resource has exactly one address. */
const canonicalInteger = /^(?:0|-?[1-9]\d{0,15})$/

/** How much of an invalid path parameter its error message shows. */
const maxShownLength = 80

/**
 * Compiling a schema is the only way to see whether it is usable, so schemas of third-party plugins are compiled at
 * start-up. The service has hundreds of its own, of which most processes need few.
 */
function validatorFor({ owner }: Route, compile: () => Validator): Validator {
  return owner === undefined ? whenNeeded(compile) : compile()
}

/** Undefined for a route that takes no JSON body. @throws Error if the schema of a third-party plugin is not usable */
export function compileBody(route: Route): Validator | undefined {
  const { body, bodyMode } = route
  if (body === undefined || bodyMode === 'stream') return undefined
  return validatorFor(route, () => bodyValidator(body))
}

/** If a parameter is invalid, the path names nothing that exists: 404 (docs/http.md). */
export function compileParams(route: Route): ParamsReader {
  const { params: schema } = route
  if (schema === undefined) return (params) => params
  const validate = validatorFor(route, () => bodyValidator(schema))
  const integers = integerProperties(schema)
  return (params) => {
    for (const name of integers) convertInteger(params, name)
    const [problem] = validate(params)
    if (problem === undefined) return params
    throw AppError.notFound(`${problem.path} ${String(params[problem.path]).slice(0, maxShownLength)}`)
  }
}

/** Anything that is not an integer stays text, and the schema refuses it. */
function convertInteger(params: Record<string, unknown>, name: string) {
  const text = params[name]
  if (typeof text === 'string' && canonicalInteger.test(text)) params[name] = Number(text)
}

function integerProperties(schema: object): string[] {
  const { properties = {} } = schema as { properties?: Record<string, { type?: unknown }> }
  return Object.keys(properties).filter((name) => properties[name]?.type === 'integer')
}

/** How many distinct queries are cached per route, and the length limit for each in characters. */
const rememberedQueries = 200
const rememberedLength = 512

const noQuery: Record<string, unknown> = Object.freeze({})

/** Clients send the same few queries over and over, so each is parsed and validated once. */
export function compileQuery(route: Route): QueryReader {
  const { query: schema } = route
  if (schema === undefined) return () => noQuery
  const validate = validatorFor(route, () => textValidator(schema))
  const remembered = new LRUCache<string, Record<string, unknown>>(upTo(rememberedQueries))
  return (rawQuery) => {
    const known = remembered.get(rawQuery)
    if (known !== undefined) return known
    const query = parseQueryString(rawQuery)
    assertValid(validate(query))
    freezeDeeply(query)
    if (rawQuery.length <= rememberedLength) remembered.set(rawQuery, query)
    return query
  }
}

/** Frozen because requests share it. */
function freezeDeeply(value: object) {
  Object.freeze(value)
  for (const item of Object.values(value)) {
    if (typeof item === 'object' && item !== null) freezeDeeply(item)
  }
}
