import { createRequestHandler } from '../requests/handle-request.ts'
import type { RequestEnvironment } from '../requests/request-stage.ts'
import { noFallbacks } from '../routes/compile-fallbacks.ts'
import { buildRouter, type Router } from '../routes/router.ts'
import type { InFlight } from './in-flight.ts'
import { createNodeHttpServer } from './node-http-server.ts'
import type { ServerAdapter } from './server-port.ts'

/** A few balancers and a Prometheus or two; what is beyond waits for nobody, it is disconnected. */
const maxConnections = 64

const headersTimeoutMs = 5_000

/** Between two checks, or two visits of a Prometheus. */
const idleTimeoutMs = 75_000

/** They are never asked for here, so their messages have no size. */
const maxMessageBytes = 1024

/**
 * Serves what `router` knows, by the same stages as the service itself, over node:http, which answers HTTP/1.0 and the
 * absolute form: uWebSockets.js refuses both, and health checks of balancers send them.
 */
export function createProbeServer(
  environment: RequestEnvironment,
  router: Router,
  inFlight: InFlight,
): ServerAdapter {
  // Whatever else of it changes while the service runs is seen through the prototype.
  const own: RequestEnvironment = Object.create(environment, {
    router: { value: router },
    sockets: { value: buildRouter('', []) },
    fallbacks: { value: noFallbacks },
  })
  const limits = { inFlight, maxMessageBytes, maxConnections, headersTimeoutMs, idleTimeoutMs }
  return createNodeHttpServer(createRequestHandler(own), limits)
}
