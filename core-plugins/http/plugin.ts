import { appStart, appStop, definePlugin } from '../../kernel/index.ts'
import { configService, settings } from '../config/config.ts'
import { httpService, routes } from './http.ts'
import { HttpServer } from './http-server.ts'
import { livezRoute, readyzRoute } from './probes.ts'
import { httpSettings } from './settings.ts'

/** Everything is compiled first of all, and listened to when everybody else has started. */
const compileFirst = { order: -1000 }
const listenLast = { order: 1000 }

/** Requests in flight may need what the other listeners of the stop take down. */
const drainFirst = { order: -1000 }

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
