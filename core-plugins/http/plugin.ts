import { appStart, appStop, definePlugin, type Placement } from '../../kernel/index.ts'
import { configService, settings } from '../config/config.ts'
import { HttpServer } from './http-server.ts'
import { httpService } from './http-service.ts'
import { livezRoute, readyzRoute } from './probes.ts'
import { routes } from './route.ts'
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
})
