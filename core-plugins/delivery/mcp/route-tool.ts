import type { AppError, Route } from '../../foundation/http/http.ts'
import type { ShownRoute } from '../docs/docs.ts'
import { assertArguments } from './arguments.ts'
import type { ToolInput } from './input-schema.ts'
import { presentAnswer } from './present-answer.ts'
import type { AgentRequest, Arguments, AskRoute, Outcome, Tool } from './tool.ts'

export interface RouteToolDeps {
  readonly ask: AskRoute
  /** The default number of items in a list. */
  readonly pageSize: () => number
  /** In characters. */
  readonly maxAnswerLength: () => number
}

/** The tool of a route that names one, for the variants that the caller may use. */
export function routeTool(
  shown: readonly [ShownRoute, ...ShownRoute[]],
  input: ToolInput,
  deps: RouteToolDeps,
): Tool | undefined {
  const [{ route }] = shown
  if (route.tool === undefined || route.tool === false) return undefined
  const { name, description } = route.tool
  return {
    name,
    description,
    inputSchema: input.schema,
    ...effectOf(route),
    call(given, request) {
      assertArguments(given, input.schema)
      return askAs(shown, splitArguments(given, input), { request, deps })
    },
  }
}

/** Hints that clients may show to people before they approve a call. */
export function effectOf({ method, load }: Route): Pick<Tool, 'writes' | 'destroys' | 'isIdempotent'> {
  const writes = method !== 'GET' && load !== 'read'
  return { writes, destroys: writes && method !== 'POST', isIdempotent: method !== 'POST' }
}

/** The arguments, split by part of the request. */
export interface SplitArguments {
  readonly params: Arguments
  readonly query: Arguments
  readonly body?: unknown
  readonly ifMatch?: unknown
}

function splitArguments(given: Arguments, input: ToolInput): SplitArguments {
  const those = (names: ReadonlySet<string>) =>
    Object.fromEntries(Object.entries(given).filter(([name]) => names.has(name)))
  return {
    params: those(input.params),
    query: those(input.query),
    ...(input.takesBody ? { body: given.data } : {}),
    ...(input.takesIfMatch ? { ifMatch: given.ifMatch } : {}),
  }
}

interface Asking {
  readonly request: AgentRequest
  readonly deps: RouteToolDeps
}

/** Calls a route in the variants that the caller may use, and presents the response. */
export async function askAs(
  shown: readonly [ShownRoute, ...ShownRoute[]],
  split: SplitArguments,
  { request, deps }: Asking,
): Promise<Outcome> {
  const [{ route }] = shown
  const query = { ...defaultPage(shown, split, deps), ...split.query }
  const answer = await deps.ask({ ...split, route, query }, request)
  const told = presentAnswer(answer, deps.maxAnswerLength())
  return { ...told, route: route.name, target: targetOf(split.params) }
}

/** Lists have fewer items than for programs by default. */
function defaultPage(
  shown: readonly ShownRoute[],
  { params }: SplitArguments,
  { pageSize }: RouteToolDeps,
): Arguments {
  const asked = shown.find(({ variant }) => variant.values?.type === params.type)
  const query = asked?.variant.query
  return query !== undefined && 'limit' in propertiesOf(query) ? { limit: pageSize() } : {}
}

function propertiesOf(query: object): object {
  return 'properties' in query && typeof query.properties === 'object' ? (query.properties ?? {}) : {}
}

/** For example `article:7`. */
export function targetOf(params: Arguments): string | undefined {
  const values = Object.values(params)
  return values.length === 0 ? undefined : values.map(String).join(':').slice(0, 255)
}

/** An error as the outcome of a call, with the message of REST. */
export function refusalOf(
  { code, reason, message, details }: AppError,
  known: Pick<Outcome, 'route' | 'target'> = {},
): Outcome {
  const error = {
    code,
    reason,
    message,
    ...(details === undefined ? {} : { details: details.slice(0, 200) }),
  }
  return { ...known, text: JSON.stringify({ error }), isError: true, code }
}
