import { appStart, appStop, assertUniqueNames, definePlugin, type Placement } from '../../../kernel/index.ts'
import { configService, settings } from '../config/config.ts'
import { adminMiddleware } from './admin-middleware.ts'
import { admissions, assertOneAdmission } from './admission.ts'
import { answerKeepers } from './answer-keeper.ts'
import { answerLabellers } from './answer-labels.ts'
import { authenticators } from './authenticator.ts'
import { fallbacks } from './fallback.ts'
import { policies, routeGuards } from './guard.ts'
import { HttpServer } from './http-server.ts'
import { httpService } from './http-service.ts'
import { livezRoute, readyzRoute } from './probes.ts'
import { assertOneRateLimitStore, rateLimitStores } from './rate-limit-store.ts'
import { readinessChecks } from './readiness-check.ts'
import { requestObservers } from './request-observer.ts'
import { routes, socketRoutes } from './route.ts'
import { httpSettings } from './settings.ts'

/** Compile before everything else, and listen once everything else has started. */
const compileFirst: Placement = { step: 'compile', before: ['*'] }
const listenLast: Placement = { step: 'listen', after: ['*'] }

/** Requests in flight may need what other stop listeners tear down. */
const drainFirst: Placement = { step: 'drain', before: ['*'] }

export const httpPlugin = definePlugin({
  name: 'http',
  description: 'Serves the routes of all plugins over HTTP',
  uses: { config: configService },
  provides: [httpService],
  points: [
    routes,
    socketRoutes,
    policies,
    routeGuards,
    authenticators,
    adminMiddleware,
    admissions,
    requestObservers,
    answerKeepers,
    answerLabellers,
    readinessChecks,
    rateLimitStores,
    fallbacks,
  ],
  register({ contribute }) {
    for (const setting of httpSettings) contribute(settings, setting)
    contribute(routes, livezRoute)
  },
  init(context) {
    const server = new HttpServer(context)
    context.provide(httpService, server)
    context.contribute(routes, readyzRoute(server))
    context.on(appStart, () => server.compile(), compileFirst)
    context.on(appStart, () => server.listen(), listenLast)
    context.on(appStop, () => server.stop(), drainFirst)
  },

  boot({ contributionsByPlugin }) {
    assertUniqueNames('readiness check', contributionsByPlugin(readinessChecks))
    assertOneAdmission(contributionsByPlugin(admissions))
    assertOneRateLimitStore(contributionsByPlugin(rateLimitStores))
  },
})
