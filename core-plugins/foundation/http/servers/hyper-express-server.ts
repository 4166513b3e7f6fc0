import cluster from 'node:cluster'
import { type AddressInfo, createServer } from 'node:net'
import HyperExpress from 'hyper-express'
import type { AdapterOptions, ExchangeHandler, ListenOptions, ServerAdapter } from './server-port.ts'
import { UwsExchange } from './uws-exchange.ts'
import { socketBehavior } from './uws-socket.ts'

/** Registered one by one, so that the common methods need not be read from the request. */
const methods = [
  ['get', 'GET'],
  ['post', 'POST'],
  ['put', 'PUT'],
  ['patch', 'PATCH'],
  ['del', 'DELETE'],
  ['head', 'HEAD'],
  ['options', 'OPTIONS'],
] as const

/**
 * The default server: hyper-express over uWebSockets.js. Requests are taken from its `uws_instance`, because
 * the request and response objects that hyper-express creates per request cost more than all our stages
 * together.
 */
export function createHyperExpressServer(
  handle: ExchangeHandler,
  { inFlight, maxMessageBytes }: AdapterOptions,
): ServerAdapter {
  const server = new HyperExpress.Server({ auto_close: false })
  let handler: ExchangeHandler | undefined = handle
  const serve = (exchange: UwsExchange) => {
    handler?.(exchange)
    exchange.leaveCallback()
  }
  for (const [register, method] of methods) {
    server.uws_instance[register]('/*', (response, request) => {
      serve(new UwsExchange(response, request, method, inFlight))
    })
  }
  // Receives requests with a WebSocket key, before the handlers below.
  server.uws_instance.ws('/*', {
    ...socketBehavior(maxMessageBytes),
    upgrade: (response, request, context) =>
      serve(new UwsExchange(response, request, 'GET', inFlight, context)),
  })
  server.any('/*', (request, response) => {
    serve(new UwsExchange(response.raw, request.raw, request.method, inFlight))
  })
  return {
    name: 'hyper-express',
    async listen(options) {
      await server.listen(options.isShared ? options.port : await freePort(options), options.host)
      return server.port
    },
    stopListening: () => void server.close(),
    close() {
      server.uws_instance.close()
      // Listeners of a closed instance stay in memory as long as the process, and would keep the whole service
      // alive.
      handler = undefined
    },
  }
}

/**
 * uWebSockets shares a port with another service that holds it, so a second service would go unnoticed; but never a
 * port that it chose itself (0), so the first of several processes has to report the port.
 */
function freePort({ host, port }: ListenOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen({ host, port, exclusive: true }, () => {
      const found = (probe.address() as AddressInfo).port
      probe.close(() => resolve(cluster.isWorker ? found : port))
    })
  })
}
