import { setTimeout } from 'node:timers/promises'
import {
  describeProblem,
  type InitContext,
  type Log,
  PluginFault,
  StartupError,
} from '../../../../kernel/index.ts'
import { type Config, role } from '../../config/config.ts'
import { answerKeepers } from '../answers/answer-keeper.ts'
import { answerLabellers } from '../answers/answer-labels.ts'
import type { Caller, Http, InternalAnswer, InternalRequest } from '../http-service.ts'
import { adminMiddleware } from '../requests/admin-middleware.ts'
import { admissions } from '../requests/admission.ts'
import { authenticators } from '../requests/authenticator.ts'
import { createEnvironment, type MutableEnvironment } from '../requests/environment.ts'
import { createRequestHandler } from '../requests/handle-request.ts'
import { createInternalRequests } from '../requests/internal-requests.ts'
import { type RateLimitStore, rateLimitStores } from '../requests/rate-limit-store.ts'
import { requestObservers } from '../requests/request-observer.ts'
import { type CompiledFallbacks, compileFallbacks, noFallbacks } from '../routes/compile-fallbacks.ts'
import { compileRoute } from '../routes/compile-route.ts'
import { fallbacks } from '../routes/fallback.ts'
import { type GuardCheck, policies, routeGuards } from '../routes/guard.ts'
import { type Route, routes, socketRoutes } from '../routes/route.ts'
import { type RouteProblem, routeProblems } from '../routes/route-problems.ts'
import { buildRouter, type Router } from '../routes/router.ts'
import {
  adapter,
  apiPrefix,
  drainMs,
  environmentName,
  fallbackTimeoutMs,
  host,
  idleTimeoutMs,
  maxAnonymousBodySize,
  maxBodySize,
  maxMessageSize,
  port,
  probePort,
  shutdownTimeoutMs,
} from '../settings.ts'
import { type ChosenServer, chooseServer, createServerAdapter } from './choose-server.ts'
import { createClusterRequests } from './cluster-requests.ts'
import { InFlight } from './in-flight.ts'
import type { Readiness } from './probes.ts'
import { announceListening, isFurtherProcess } from './processes.ts'
import { readinessChecks } from './readiness-check.ts'
import type { ServerAdapter } from './server-port.ts'

/**
 * How long to wait, after the server stopped listening, for requests on connections that it has already accepted; in
 * milliseconds.
 */
const lastRequestsMs = 100

type Context = InitContext<{ readonly config: Config }>

/** The HTTP server of this process, from the start to the stop. */
export class HttpServer implements Http, Readiness {
  readonly log: Log
  readonly apiPrefix: string
  readonly cluster = createClusterRequests()
  isStarted = false
  server: ChosenServer | undefined
  private readonly context: Context
  private readonly config: Config
  private readonly environment: MutableEnvironment
  private readonly shareCounts: (store: RateLimitStore) => void
  private readonly inFlight = new InFlight()
  private readonly serveInternally: (request: InternalRequest) => Promise<InternalAnswer>
  private readonly guards = new Map<Route, readonly GuardCheck[]>()
  private adapter: ServerAdapter | undefined
  private probes: ServerAdapter | undefined
  private boundPort = 0

  constructor(context: Context) {
    this.context = context
    this.config = context.services.config
    this.log = context.log
    this.apiPrefix = this.config.get(apiPrefix)
    const { environment, stopFollowing, shareCounts } = createEnvironment(this.config, context.log)
    this.environment = environment
    this.serveInternally = createInternalRequests(environment, this.apiPrefix)
    this.shareCounts = shareCounts
    context.onDispose(stopFollowing)
    context.onDispose(() => this.cluster.close())
  }

  get url(): string {
    const name = this.config.get(host)
    return `http://${name.includes(':') ? `[${name}]` : name}:${this.boundPort}`
  }

  get routes(): readonly Route[] {
    const all = this.context.contributions(routes)
    return this.config.get(role) === 'worker' ? all.filter(isForOperators) : all
  }

  /** Only in processes that serve client requests. */
  private get socketRoutes(): readonly Route[] {
    return this.config.get(role) === 'worker' ? [] : this.context.contributions(socketRoutes)
  }

  get isStopping(): boolean {
    return this.inFlight.isDraining
  }

  checks() {
    return this.context.contributions(readinessChecks)
  }

  /** @throws StartupError with all problems of the routes */
  compile() {
    this.environment.router = this.compileRouter(this.routes)
    this.environment.sockets = this.compileRouter(this.socketRoutes)
    this.environment.fallbacks = this.compileFallbacks()
    this.environment.authenticators = this.context.contributions(authenticators)
    this.environment.admission = this.context.contributions(admissions)[0]
    this.environment.observers = this.context.contributions(requestObservers)
    this.environment.keeper = this.context.contributions(answerKeepers)[0]
    this.environment.labeller = this.context.contributions(answerLabellers)[0]
    const [store] = this.context.contributions(rateLimitStores)
    if (store !== undefined) this.shareCounts(store)
  }

  async admits(route: Route, { principal, params }: Caller): Promise<boolean> {
    const request = {
      ...{ principal, params, method: route.method, path: route.path },
      adminUser: principal.kind === 'admin' ? principal : undefined,
      header: () => undefined,
    }
    try {
      for (const guard of this.guards.get(route) ?? []) await guard(request)
      return true
    } catch {
      // If a check fails, the caller is not admitted; other results are not affected.
      return false
    }
  }

  dispatch(request: InternalRequest): Promise<InternalAnswer> {
    return this.serveInternally(request)
  }

  private compileRouter(served: readonly Route[]): Router {
    const { context, config } = this
    const named = new Map(context.contributions(policies).map((policy) => [policy.name, policy]))
    const problems = routeProblems(served, { policies: named, apiPrefix: this.apiPrefix })
    assertNoProblems(problems)
    const parts = {
      policies: named,
      guards: context.contributions(routeGuards),
      authenticators: context.contributions(authenticators),
      stages: context.contributions(adminMiddleware),
      maxBodyBytes: config.get(maxBodySize),
      maxAnonymousBodyBytes: Math.min(config.get(maxAnonymousBodySize), config.get(maxBodySize)),
      checksAnswers: config.get(environmentName) === 'test',
    }
    const compiled = served.map((route) => compileRoute(route, parts))
    for (const { route, guards } of compiled) this.guards.set(route, guards)
    return buildRouter(this.apiPrefix, compiled)
  }

  /** Like routes, not for worker processes. */
  private compileFallbacks(): CompiledFallbacks {
    const { context, config, apiPrefix } = this
    if (config.get(role) === 'worker') return noFallbacks
    const limitMs = () => config.get(fallbackTimeoutMs)
    return compileFallbacks(context.contributions(fallbacks), { apiPrefix, limitMs })
  }

  /** @throws StartupError if it cannot listen on the address */
  async listen() {
    const handle = createRequestHandler(this.environment)
    const { config, inFlight, log } = this
    const options = {
      ...{ inFlight, log },
      maxMessageBytes: config.get(maxMessageSize),
      idleTimeoutMs: config.get(idleTimeoutMs),
    }
    this.server = chooseServer(config.get(adapter), config.workingDirectory)
    this.adapter = await createServerAdapter(this.server, handle, options)
    this.warnOfIdleTime(this.adapter)
    await this.listenForProbes()
    this.boundPort = await this.listenWith(this.adapter)
    this.isStarted = true
    announceListening(this.boundPort)
    const { name: server, native } = this.server
    log.info({ url: this.url, server, native }, `listening on ${this.url}`)
  }

  /** Reported explicitly, since a user who sets it has seen a proxy fail. */
  private warnOfIdleTime({ name }: ServerAdapter) {
    if (name !== 'hyper-express' || this.config.sourceOf(idleTimeoutMs) === 'default') return
    this.log.warn(
      {},
      'server.idleTimeoutMs does not hold for the native server, which closes idle connections after 8 to 12 s: have proxies close ' +
        'theirs sooner (in nginx keepalive_timeout 5s in the upstream), or set server.adapter to node-http; see docs/deployment.md',
    )
  }

  private async listenWith(server: ServerAdapter): Promise<number> {
    const address = { host: this.listeningHost, port: this.config.get(port) }
    try {
      return await server.listen({ ...address, isShared: isFurtherProcess })
    } catch (error) {
      throw cannotListen(address, error, 'PORT')
    }
  }

  /** If `localhost` resolves only to ::1, clients that use 127.0.0.1 would not get a connection. */
  private get listeningHost(): string {
    const name = this.config.get(host)
    return name === 'localhost' ? '127.0.0.1' : name
  }

  /** First, so that the start fails on a taken port before any request is served. */
  private async listenForProbes() {
    const address = { host: this.listeningHost, port: this.config.get(probePort) }
    if (address.port === 0) return
    if (address.port === this.config.get(port)) throw sharesPort(address.port)
    const { createProbeServer } = await import('./probe-server.ts')
    const router = this.compileRouter(this.context.contributions(routes).filter(isForOperators))
    this.probes = createProbeServer(this.environment, router, this.inFlight)
    try {
      await this.probes.listen({ ...address, isShared: isFurtherProcess })
    } catch (error) {
      throw cannotListen(address, error, 'SVC_SERVER_PROBE_PORT')
    }
    this.log.info({ port: address.port }, `health probes and metrics are also on port ${address.port}`)
  }

  async drain(hurry: AbortSignal) {
    const timeMs = drainTimeMs(this.config)
    if (!this.isStarted || timeMs === 0) return
    this.inFlight.isDraining = true
    this.log.info({ drainMs: timeMs }, 'no longer ready; still serving until load balancers notice')
    // Being hurried is not an error.
    await setTimeout(timeMs, undefined, { signal: hurry }).catch(() => undefined)
  }

  /** Waits for requests in flight as long as the setting allows, then cuts the rest. */
  async stop() {
    const servers = [this.adapter, this.probes].filter((server) => server !== undefined)
    if (servers.length === 0) return
    const hasDrained = this.inFlight.isDraining
    this.inFlight.isDraining = true
    for (const server of servers) server.stopListening()
    // A proxy that does not yet know of the stop still sends: requests received until now are served.
    if (hasDrained) await setTimeout(lastRequestsMs)
    this.environment.isStopping = true
    const timeoutMs = this.config.get(shutdownTimeoutMs)
    const isIdle = await this.inFlight.isIdleWithin(timeoutMs)
    if (!isIdle) this.log.warn({ timeoutMs }, 'requests were still running at the shutdown timeout')
    for (const server of servers) server.close()
  }
}

/** What every process answers, whatever its role: health probes and metrics. */
function isForOperators({ isProbe, isServedByEveryRole }: Route): boolean {
  return isProbe === true || isServedByEveryRole === true
}

function drainTimeMs(config: Config): number {
  const isUnset = config.sourceOf(drainMs) === 'default'
  return isUnset && config.environment !== 'production' ? 0 : config.get(drainMs)
}

/** Blames one third-party plugin at a time: the service then starts again without it. */
function assertNoProblems(problems: readonly RouteProblem[]) {
  if (problems.length === 0) return
  const owner = problems.find((problem) => problem.owner !== undefined)?.owner
  if (owner === undefined) throw new StartupError('The routes do not fit together:', problems)
  const own = problems.filter((problem) => problem.owner === owner)
  throw new PluginFault(owner, own.map((problem) => describeProblem(problem).trim()).join('; '))
}

function cannotListen(
  address: { host: string; port: number },
  error: unknown,
  variable: 'PORT' | 'SVC_SERVER_PROBE_PORT',
): StartupError {
  const reason = error instanceof Error ? error.message : String(error)
  const problem = {
    subject: `${variable}, HOST`,
    message: `cannot listen on ${address.host}:${address.port}: ${reason}`,
    remedy: `stop what listens there, or choose another ${variable} or HOST`,
  }
  return new StartupError('The service could not start:', [problem], error)
}

function sharesPort(taken: number): StartupError {
  const problem = {
    subject: 'SVC_SERVER_PROBE_PORT',
    message: `is ${taken}, which is the port of the service itself`,
    remedy: 'choose another one: probes on it answer HTTP/1.0, which the service on its own port may not',
  }
  return new StartupError('The service could not start:', [problem])
}
