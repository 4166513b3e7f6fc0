import { appStart, appStop, assertUniqueNames, definePlugin, type Placement } from '../../../kernel/index.ts'
import { configService, settings } from '../config/config.ts'
import { answerKeepers } from './answers/answer-keeper.ts'
import { answerLabellers } from './answers/answer-labels.ts'
import { httpService } from './http-service.ts'
import { adminMiddleware } from './requests/admin-middleware.ts'
import { admissions, assertOneAdmission } from './requests/admission.ts'
import { authenticators } from './requests/authenticator.ts'
import { assertOneRateLimitStore, rateLimitStores } from './requests/rate-limit-store.ts'
import { requestObservers } from './requests/request-observer.ts'
import { fallbacks } from './routes/fallback.ts'
import { policies, routeGuards } from './routes/guard.ts'
import { routes, socketRoutes } from './routes/route.ts'
import { HttpServer } from './servers/http-server.ts'
import { livezRoute, readyzRoute } from './servers/probes.ts'
import { readinessChecks } from './servers/readiness-check.ts'
import { httpSettings } from './settings.ts'

/** Compile before everything else, and listen once everything else has started. */
const compileFirst: Placement = { step: 'compile', before: ['*'] }
const listenLast: Placement = { step: 'listen', after: ['*'] }

/** Requests in flight may need what other stop listeners close. */
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
