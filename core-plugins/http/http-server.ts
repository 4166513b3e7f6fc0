import { setTimeout } from 'node:timers/promises'
import { describeProblem, type InitContext, type Log, PluginFault, StartupError } from '../../kernel/index.ts'
import { type Config, role } from '../config/config.ts'
import { AppError } from './app-error.ts'
import { createServerAdapter } from './choose-server.ts'
import { compileRoute, type GuardCheck, type RouteProblem, routeProblems } from './compile-route.ts'
import { createEnvironment, type MutableEnvironment } from './environment.ts'
import { createRequestHandler } from './handle-request.ts'
import {
  adminMiddleware,
  authenticators,
  type Caller,
  type Http,
  policies,
  type RateLimitStore,
  type Route,
  rateLimitStores,
  readinessChecks,
  requestObservers,
  routeGuards,
  routes,
} from './http.ts'
import { InFlight } from './in-flight.ts'
import { createPeers } from './peers.ts'
import type { Readiness } from './probes.ts'
import { buildRouter, type Router } from './router.ts'
import type { ServerAdapter } from './server-port.ts'
import {
  adapter,
  apiPrefix,
  drainMs,
  environmentName,
  host,
  maxBodySize,
  port,
  shutdownTimeoutMs,
} from './settings.ts'
import { announceListening, isFurtherWorker } from './workers.ts'

type Context = InitContext<{ readonly config: Config }>

/** The HTTP server of this process, from the start to the stop. */
export class HttpServer implements Http, Readiness {
  readonly log: Log
  readonly apiPrefix: string
  readonly peers = createPeers()
  isStarted = false
  private readonly context: Context
  private readonly config: Config
  private readonly environment: MutableEnvironment
  private readonly shareCounts: (store: RateLimitStore) => void
  private readonly inFlight = new InFlight()
  private guards: ReadonlyMap<Route, readonly GuardCheck[]> = new Map()
  private adapter: ServerAdapter | undefined
  private boundPort = 0

  constructor(context: Context) {
    this.context = context
    this.config = context.services.config
    this.log = context.log
    this.apiPrefix = this.config.get(apiPrefix)
    const { environment, stopFollowing, shareCounts } = createEnvironment(this.config, context.log)
    this.environment = environment
    this.shareCounts = shareCounts
    context.onDispose(stopFollowing)
    context.onDispose(() => this.peers.close())
  }

  get url(): string {
    const name = this.config.get(host)
    return `http://${name.includes(':') ? `[${name}]` : name}:${this.boundPort}`
  }

  get routes(): readonly Route[] {
    const all = this.context.contributions(routes)
    if (this.config.get(role) !== 'worker') return all
    return all.filter(({ isProbe, isServedByWorkers }) => isProbe === true || isServedByWorkers === true)
  }

  get isStopping(): boolean {
    return this.inFlight.isDraining
  }

  checks() {
    return this.context.contributions(readinessChecks)
  }

  /** @throws StartupError with everything that is wrong with the routes */
  compile() {
    this.environment.router = this.compileRouter()
    this.environment.authenticators = this.context.contributions(authenticators)
    this.environment.observers = this.context.contributions(requestObservers)
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
    } catch (error) {
      if (error instanceof AppError) return false
      throw error
    }
  }

  private compileRouter(): Router {
    const { context, config } = this
    const named = new Map(context.contributions(policies).map((policy) => [policy.name, policy]))
    const problems = routeProblems(this.routes, named)
    expectNoProblems(problems)
    const parts = {
      policies: named,
      guards: context.contributions(routeGuards),
      authenticators: context.contributions(authenticators),
      stages: context.contributions(adminMiddleware),
      maxBodyBytes: config.get(maxBodySize),
      checksAnswers: config.get(environmentName) === 'test',
    }
    const compiled = this.routes.map((route) => compileRoute(route, parts))
    this.guards = new Map(compiled.map(({ route, guards }) => [route, guards]))
    return buildRouter(this.apiPrefix, compiled)
  }

  /** @throws StartupError if the address cannot be listened on */
  async listen() {
    const handle = createRequestHandler(this.environment)
    const { inFlight, log } = this
    this.adapter = await createServerAdapter(this.config.get(adapter), handle, { inFlight, log })
    this.boundPort = await this.listenWith(this.adapter)
    this.isStarted = true
    announceListening(this.boundPort)
    log.info({ url: this.url, server: this.adapter.name }, `listening on ${this.url}`)
  }

  private async listenWith(server: ServerAdapter): Promise<number> {
    const name = this.config.get(host)
    // Where it resolves to ::1 alone, whoever asks for 127.0.0.1 would find nothing.
    const address = { host: name === 'localhost' ? '127.0.0.1' : name, port: this.config.get(port) }
    try {
      return await server.listen({ ...address, isShared: isFurtherWorker })
    } catch (error) {
      throw cannotListen(address, error)
    }
  }

  async drain(hurry: AbortSignal) {
    const timeMs = drainTimeMs(this.config)
    if (!this.isStarted || timeMs === 0) return
    this.inFlight.isDraining = true
    this.log.info({ drainMs: timeMs }, 'not ready any more; serving on until load balancers have noticed')
    // Being hurried is no failure.
    await setTimeout(timeMs, undefined, { signal: hurry }).catch(() => undefined)
  }

  /** Answers what is being worked on, for as long as the setting allows, and cuts the rest. */
  async stop() {
    if (this.adapter === undefined) return
    this.environment.isStopping = true
    this.inFlight.isDraining = true
    this.adapter.stopListening()
    const timeoutMs = this.config.get(shutdownTimeoutMs)
    const isIdle = await this.inFlight.isIdleWithin(timeoutMs)
    if (!isIdle) this.log.warn({ timeoutMs }, 'requests were still running when the time to stop was up')
    this.adapter.close()
  }
}

function drainTimeMs(config: Config): number {
  const isUnset = config.sourceOf(drainMs) === 'default'
  return isUnset && config.environment !== 'production' ? 0 : config.get(drainMs)
}

/** One third-party plugin at a time is blamed: without it the start begins anew. */
function expectNoProblems(problems: readonly RouteProblem[]) {
  if (problems.length === 0) return
  const owner = problems.find((problem) => problem.owner !== undefined)?.owner
  if (owner === undefined) throw new StartupError('The routes do not fit together:', problems)
  const own = problems.filter((problem) => problem.owner === owner)
  throw new PluginFault(owner, own.map((problem) => describeProblem(problem).trim()).join('; '))
}

function cannotListen(address: { host: string; port: number }, error: unknown): StartupError {
  const reason = error instanceof Error ? error.message : String(error)
  const problem = {
    subject: 'PORT, HOST',
    message: `cannot listen on ${address.host}:${address.port}: ${reason}`,
    remedy: 'stop what listens there, or choose another PORT or HOST',
  }
  return new StartupError('The service could not start:', [problem], error)
}
