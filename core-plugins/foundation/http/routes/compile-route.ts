import { compilePipeline, PluginFault } from '../../../../kernel/index.ts'
import { compileAnswerCheck } from '../answers/answer-check.ts'
import { keptOf } from '../answers/cache-control.ts'
import type { AdminStage } from '../requests/admin-middleware.ts'
import type { Authenticator } from '../requests/authenticator.ts'
import type { HeaderLines } from '../servers/server-port.ts'
import type { Validator } from '../validation.ts'
import { compileGuards } from './compile-access.ts'
import type { GuardCheck, Policy, RouteGuard } from './guard.ts'
import type { Route, RouteRequest } from './route.ts'
import {
  compileBody,
  compileParams,
  compileQuery,
  type ParamsReader,
  type QueryReader,
} from './route-input.ts'

/** A route with everything that can be computed at start-up. */
export interface CompiledRoute {
  readonly route: Route
  readonly guards: readonly GuardCheck[]
  readonly readParams: ParamsReader
  readonly readQuery: QueryReader
  /** Undefined if the route takes no JSON body. */
  readonly validateBody: Validator | undefined
  readonly takesBody: boolean
  readonly maxBodyBytes: number
  /** For JSON from callers without credentials. */
  readonly maxAnonymousBodyBytes: number
  /**
   * The `Vary` header of every answer, so that caches do not give one caller an answer made for another. Undefined if
   * all callers get the same answer.
   */
  readonly vary: string | undefined
  /** The default `cache-control` of its answers with an ETag. */
  readonly kept: HeaderLines
  /** The request headers that authenticators read on this route. */
  readonly credentialHeaders: readonly string[]
  /** The handler, wrapped in the admin middleware that matches the route. */
  readonly run: (request: RouteRequest) => unknown
  /** Whether answers may be kept: the route allows it, and no middleware makes them unpredictable. */
  readonly isKept: boolean
  /** @throws Error if the data of an answer does not match the declared schema; undefined outside tests */
  readonly checkAnswer: ((result: unknown) => void) | undefined
}

export interface RouteParts {
  readonly policies: ReadonlyMap<string, Policy>
  readonly guards: readonly RouteGuard[]
  readonly authenticators: readonly Authenticator[]
  readonly stages: readonly AdminStage[]
  readonly maxBodyBytes: number
  readonly maxAnonymousBodyBytes: number
  readonly checksAnswers: boolean
}

/**
 * Compiles one route; `routeProblems` must have found nothing wrong with it. @throws PluginFault blaming its
 * owner
 */
export function compileRoute(route: Route, parts: RouteParts): CompiledRoute {
  try {
    return compile(route, parts)
  } catch (error) {
    // A guard that cannot compile the route blames its own plugin.
    if (route.owner === undefined || error instanceof PluginFault) throw error
    throw new PluginFault(route.owner, error)
  }
}

function compile(route: Route, parts: RouteParts): CompiledRoute {
  const validateBody = compileBody(route)
  const credentialHeaders = credentialHeadersOf(route, parts)
  return {
    route,
    guards: compileGuards(route, parts),
    readParams: compileParams(route),
    readQuery: compileQuery(route),
    takesBody: validateBody !== undefined || route.bodyMode === 'stream',
    validateBody,
    maxBodyBytes: route.maxBodyBytes ?? parts.maxBodyBytes,
    maxAnonymousBodyBytes: route.maxBodyBytes ?? parts.maxAnonymousBodyBytes,
    vary: route.access === 'open' ? undefined : credentialHeaders.join(', '),
    kept: keptOf(route),
    credentialHeaders,
    run: compileHandler(route, parts.stages),
    isKept: route.keptBy !== undefined && parts.stages.every((stage) => isHarmless(stage, route)),
    checkAnswer: parts.checksAnswers ? compileAnswerCheck(route) : undefined,
  }
}

function credentialHeadersOf(route: Route, { authenticators }: RouteParts): string[] {
  const headers = authenticators.flatMap((authenticator) => authenticator.headersFor?.(route) ?? [])
  return [...new Set(['authorization', ...headers])]
}

function isHarmless(stage: AdminStage, route: Route): boolean {
  return stage.isPredictable === true || !stage.matches(route)
}

/** A compiled pipeline always returns a promise, so a route that no stage matches bypasses it. */
function compileHandler(route: Route, stages: readonly AdminStage[]): (request: RouteRequest) => unknown {
  const handler = (request: RouteRequest) => route.handler(request as never)
  return stages.some((stage) => stage.matches(route)) ? compilePipeline(stages, route, handler) : handler
}
