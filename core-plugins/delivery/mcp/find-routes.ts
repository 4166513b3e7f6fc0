import { AppError, type Principal, type Route } from '../../foundation/http/http.ts'
import type { Docs, ShownRoute } from '../docs/docs.ts'
import { assertArguments } from './arguments.ts'
import { presentData } from './present-answer.ts'
import { askAs, type RouteToolDeps } from './route-tool.ts'
import type { Arguments, JsonSchema, Tool } from './tool.ts'

export interface RouteFinderDeps extends RouteToolDeps {
  readonly docs: Docs
}

const reads = { writes: false, destroys: false, isIdempotent: true } as const

const object = (description: string) => ({ type: 'object', description })

const routeName = { type: 'string', description: 'Its name, as find_routes tells it' }

/** Tools to find and call any route that the caller may use; only the most common routes have tools of their own. */
export function routeFinder(deps: RouteFinderDeps): Tool[] {
  return [findRoutes(deps), describeRoute(deps), readRoute(deps), callRoute(deps)]
}

const findRoutes = ({ docs, maxAnswerLength }: RouteFinderDeps): Tool => ({
  ...reads,
  name: 'find_routes',
  description:
    'Finds further routes of the service that you may use and that have no tool of their own: media folders, releases, ' +
    'comments, revisions, webhooks, jobs, settings and so on. describe_route then tells what one takes.',
  inputSchema: inputOf(
    { words: { type: 'string', description: 'All of them must occur in name, path or summary' } },
    [],
  ),
  async call(given, { principal }) {
    assertArguments(given, this.inputSchema)
    const words = String(given.words ?? '')
      .toLowerCase()
      .split(/\s+/)
    const found = [...new Set((await docs.usableBy(principal, isReachable)).map(({ route }) => route))]
      .map(({ name, method, path, summary }) => ({ route: name, method, path, summary }))
      .filter((each) => words.every((word) => Object.values(each).join(' ').toLowerCase().includes(word)))
    return { text: presentData({ data: found }, maxAnswerLength()), isError: false }
  },
})

const describeRoute = ({ docs, maxAnswerLength }: RouteFinderDeps): Tool => ({
  ...reads,
  name: 'describe_route',
  description: 'Tells what a route takes and answers, as the OpenAPI document of the service does.',
  inputSchema: inputOf(
    { route: routeName, type: { type: 'string', description: 'A content type, if its path has one' } },
    ['route'],
  ),
  async call(given, { principal }) {
    assertArguments(given, this.inputSchema)
    const all = await usable(given.route, { docs, principal })
    const ofType = all.find(({ variant }) => variant.values?.type === given.type)
    const { paths, components } = docs.describe([ofType ?? all[0]])
    const data = { paths, schemas: (components as { schemas: unknown }).schemas }
    const text = presentData({ data }, maxAnswerLength())
    return { text, isError: false, route: all[0].route.name }
  },
})

const readRoute = (deps: RouteFinderDeps): Tool => ({
  ...reads,
  name: 'read_route',
  description: 'Asks a GET route that find_routes has found.',
  inputSchema: inputOf({ route: routeName, ...requestParts }, ['route']),
  call(given, request) {
    assertArguments(given, this.inputSchema)
    return callUsable(given, { deps, request, isRead: true })
  },
})

const callRoute = (deps: RouteFinderDeps): Tool => ({
  writes: true,
  destroys: true,
  isIdempotent: false,
  name: 'call_route',
  description:
    'Calls a route that find_routes has found and that changes something (POST, PUT, PATCH, DELETE).',
  inputSchema: inputOf(
    {
      route: routeName,
      ...requestParts,
      data: {
        description:
          'The body; of a form, files are { filename, base64 }. A body in another media type than JSON or a form is { mediaType, text }',
      },
      ifMatch: { type: 'string', description: 'The etag of a read, where the route takes one' },
    },
    ['route'],
  ),
  call(given, request) {
    assertArguments(given, this.inputSchema)
    return callUsable(given, { deps, request, isRead: false })
  },
})

const requestParts = {
  params: object('The parameters of its path by name: { "id": 7 }'),
  query: object('The parameters of its query by name'),
}

function inputOf(properties: JsonSchema, required: readonly string[]): JsonSchema {
  return { type: 'object', required, properties, additionalProperties: false }
}

/** Whether agents can read the response, and may use the route. */
function isReachable({ tool, rawResponse, access }: Route): boolean {
  const isText =
    rawResponse === undefined ||
    /^(?:text\/(?:plain|csv|xml)|application\/(?:[\w.-]+\+)?(?:json|xml)|application\/x-ndjson)/.test(
      rawResponse,
    )
  return tool !== false && isText && access !== 'user'
}

interface Finding {
  readonly docs: Docs
  readonly principal: Principal
}

/** A route by its name, in all variants that the caller may use. @throws AppError 404 */
async function usable(name: unknown, { docs, principal }: Finding): Promise<[ShownRoute, ...ShownRoute[]]> {
  const [first, ...more] = await docs.usableBy(
    principal,
    (route) => route.name === name && isReachable(route),
  )
  if (first === undefined) throw AppError.notFound(`route ${String(name).slice(0, 100)}`)
  return [first, ...more]
}

interface Calling {
  readonly deps: RouteFinderDeps
  readonly request: Parameters<Tool['call']>[1]
  readonly isRead: boolean
}

async function callUsable(given: Arguments, { deps, request, isRead }: Calling) {
  const shown = await usable(given.route, { docs: deps.docs, principal: request.principal })
  const [{ route }] = shown
  if ((route.method === 'GET') !== isRead) throw wrongTool(route, isRead)
  const { params, query, data, ifMatch } = given
  const split = { params: objectIn('params', params), query: objectIn('query', query), ifMatch }
  return askAs(shown, data === undefined ? split : { ...split, body: data }, { request, deps })
}

function wrongTool({ name, method }: Route, isRead: boolean): AppError {
  const message = `${name} is a ${method}: use ${isRead ? 'call_route' : 'read_route'}`
  return AppError.invalid([{ path: 'route', code: 'method', message }])
}

function objectIn(path: string, value: unknown): Arguments {
  if (value === undefined) return {}
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Arguments
  throw AppError.invalid([{ path, code: 'type', message: 'must be an object' }])
}
