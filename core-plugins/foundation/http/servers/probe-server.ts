import { createRequestHandler } from '../requests/handle-request.ts'
import type { RequestEnvironment } from '../requests/request-stage.ts'
import { noFallbacks } from '../routes/compile-fallbacks.ts'
import { buildRouter, type Router } from '../routes/router.ts'
import type { InFlight } from './in-flight.ts'
import { createNodeHttpServer } from './node-http-server.ts'
import type { ServerAdapter } from './server-port.ts'

/** Enough for a few load balancers and a Prometheus or two; further connections are closed at once. */
const maxConnections = 64

const headersTimeoutMs = 5_000

/** The time between two checks, or two scrapes by Prometheus; in milliseconds. */
const idleTimeoutMs = 75_000

/** WebSockets are not offered here, so the value does not matter. */
const maxMessageBytes = 1024

/**
 * Serves the routes of `router` with the same stages as the service, over node:http, which accepts HTTP/1.0 and
 * absolute URLs as targets: health checks of load balancers send these, and uWebSockets.js refuses both.
 */
export function createProbeServer(
  environment: RequestEnvironment,
  router: Router,
  inFlight: InFlight,
): ServerAdapter {
  // Everything else that changes at run time is read through the prototype.
  const own: RequestEnvironment = Object.create(environment, {
    router: { value: router },
    sockets: { value: buildRouter('', []) },
    fallbacks: { value: noFallbacks },
  })
  const limits = { inFlight, maxMessageBytes, maxConnections, headersTimeoutMs, idleTimeoutMs }
  return createNodeHttpServer(createRequestHandler(own), limits)
}
