import { Type } from 'typebox'
import { defineSetting } from '../config/config.ts'
import { isNetwork } from './requests/client-address.ts'

export type AdapterChoice = 'auto' | 'hyper-express' | 'node-http'

export type RequestLogChoice = 'all' | 'errors' | 'none'

export const port = defineSetting(
  'server.port',
  Type.Integer({
    env: 'PORT',
    tier: 'infrastructure',
    default: 2102,
    minimum: 0,
    maximum: 65_535,
    title: 'Port',
    description: 'TCP port that the server listens on; 0 takes any free one.',
  }),
)

/** The native server refuses HTTP/1.0, which many health checks use. */
export const probePort = defineSetting(
  'server.probePort',
  Type.Integer({
    tier: 'infrastructure',
    default: 0,
    minimum: 0,
    maximum: 65_535,
    title: 'Port of probes',
    description:
      'A further TCP port for health probes and metrics alone, which also answers HTTP/1.0; 0 for none.',
  }),
)

export const host = defineSetting(
  'server.host',
  Type.String({
    env: 'HOST',
    tier: 'infrastructure',
    default: 'localhost',
    title: 'Host',
    description: 'Name or address that the server listens on; 0.0.0.0 is every IPv4 address, :: also IPv6.',
  }),
)

export const apiPrefix = defineSetting(
  'api.prefix',
  Type.String({
    env: 'SVC_API_PREFIX',
    tier: 'infrastructure',
    default: '/api',
    title: 'API prefix',
    description: 'Path prefix of every endpoint.',
  }),
  (value) =>
    /^(\/[A-Za-z0-9._-]+)+$/.test(value)
      ? undefined
      : {
          severity: 'fatal',
          message: `is "${value}", which is not a path prefix`,
          remedy: 'use one or more segments such as /api or /cms/api, without a slash at the end',
        },
)

export const trustProxy = defineSetting(
  'server.trustProxy',
  Type.Array(Type.String(), {
    tier: 'infrastructure',
    default: [],
    title: 'Trusted proxies',
    description:
      'Addresses or networks (10.0.0.0/8, loopback, private) of the proxies whose X-Forwarded-For counts.',
  }),
  (value) => {
    const wrong = value.find((entry) => !isNetwork(entry))
    if (wrong === undefined) return undefined
    return {
      severity: 'fatal',
      message: `has "${wrong}", which is neither an address nor a network`,
      remedy: 'list addresses, networks such as 10.0.0.0/8, or the names loopback and private',
    }
  },
)

export const maxBodySize = defineSetting(
  'server.maxBodySize',
  Type.Integer({
    tier: 'infrastructure',
    default: 5 * 1024 * 1024,
    minimum: 1024,
    title: 'Largest body',
    description: 'Largest JSON body that a request may carry, in bytes; uploads have a limit of their own.',
  }),
)

/** Parsing occupies the only thread of a process: a millisecond per 100 KB, and more for some bodies. */
export const maxAnonymousBodySize = defineSetting(
  'server.maxAnonymousBodySize',
  Type.Integer({
    tier: 'infrastructure',
    default: 100 * 1024,
    minimum: 1024,
    title: 'Largest body without credentials',
    description:
      'Largest JSON body of a request without credentials, in bytes, where the route has no limit of its own; no more than server.maxBodySize.',
  }),
)

export const maxMessageSize = defineSetting(
  'server.maxMessageSize',
  Type.Integer({
    tier: 'infrastructure',
    default: 128 * 1024,
    minimum: 1024,
    maximum: 16 * 1024 * 1024,
    title: 'Largest message',
    description: 'Largest message that a client may send over a WebSocket, in bytes.',
  }),
)

export const shutdownTimeoutMs = defineSetting(
  'server.shutdownTimeoutMs',
  Type.Integer({
    tier: 'infrastructure',
    default: 8_000,
    minimum: 0,
    title: 'Shutdown time',
    description:
      'How long requests in flight may take to finish when the service stops, in milliseconds; ' +
      'everything else has to stop in what is left of ten seconds.',
  }),
)

export const drainMs = defineSetting(
  'server.drainMs',
  Type.Integer({
    tier: 'infrastructure',
    default: 5_000,
    minimum: 0,
    maximum: 600_000,
    title: 'Drain time',
    description:
      'How long the service goes on serving after SIGTERM while readyz answers 503 already, in milliseconds: longer than ' +
      'load balancers take to notice. When nothing is set: 5000 in production, 0 otherwise.',
  }),
)

/** Longer than proxies keep their connections to a server by default: 60 s in nginx. */
export const idleTimeoutMs = defineSetting(
  'server.idleTimeoutMs',
  Type.Integer({
    tier: 'infrastructure',
    default: 75_000,
    minimum: 1_000,
    maximum: 3_600_000,
    title: 'Idle time',
    description:
      'How long node:http keeps a connection between two requests, in milliseconds: longer than proxies do. The native ' +
      'server closes it after 8 to 12 s, whatever this says.',
  }),
)

export const fallbackTimeoutMs = defineSetting(
  'server.fallbackTimeoutMs',
  Type.Integer({
    tier: 'infrastructure',
    default: 5_000,
    minimum: 1,
    maximum: 60_000,
    title: 'Time of a fallback',
    description:
      'How long a plugin may take to answer a path that no route has, in milliseconds; then the client gets a 503.',
  }),
)

export const adapter = defineSetting(
  'server.adapter',
  Type.Enum(['auto', 'hyper-express', 'node-http'], {
    tier: 'infrastructure',
    default: 'auto',
    title: 'Server',
    description: 'hyper-express, node-http, or auto: hyper-express wherever its native binary loads.',
  }),
)

export const environmentName = defineSetting(
  'server.environment',
  Type.String({
    env: 'NODE_ENV',
    tier: 'infrastructure',
    default: 'development',
    title: 'Environment',
    description:
      'production, development, or test: as development, with hashes of passwords that protect little, and answers compared with their schemas.',
  }),
)

export const processes = defineSetting(
  'server.processes',
  Type.Integer({
    env: 'SVC_PROCESSES',
    tier: 'infrastructure',
    default: 1,
    minimum: 1,
    maximum: 256,
    title: 'Processes',
    description: 'How many processes share the port.',
  }),
)

export const logRequests = defineSetting(
  'log.requests',
  Type.Enum(['all', 'errors', 'none'], {
    tier: 'infrastructure',
    default: 'errors',
    title: 'Access log',
    description: 'Which requests get a line in the log: all, errors (5xx and slow ones) or none.',
  }),
)

export const logSlowRequestsMs = defineSetting(
  'log.slowRequestsMs',
  Type.Integer({
    tier: 'infrastructure',
    default: 1000,
    minimum: 0,
    title: 'Slow request',
    description: 'A request that takes longer is logged as slow, in milliseconds.',
  }),
)

export const corsOrigins = defineSetting(
  'api.cors.origins',
  Type.Array(Type.String(), {
    env: 'SVC_CORS_ORIGINS',
    tier: 'runtime',
    default: [],
    title: 'Allowed origins',
    description:
      'Web origins such as https://example.com whose pages may call the API; * is any. ' +
      'When nothing is set: none in production, any in development.',
  }),
)

export const rateLimitEnabled = defineSetting(
  'api.rateLimit.enabled',
  Type.Boolean({
    env: 'SVC_RATE_LIMIT_ENABLED',
    tier: 'runtime',
    default: false,
    title: 'Rate limit',
    description: 'Whether the number of requests of one client address is limited.',
  }),
)

export const rateLimitMax = defineSetting(
  'api.rateLimit.max',
  Type.Integer({
    env: 'SVC_RATE_LIMIT_MAX',
    tier: 'runtime',
    default: 100,
    title: 'Requests per window',
    description: 'How many requests a client address may make in one window; less than 1 counts as 1.',
  }),
)

export const rateLimitWindowMs = defineSetting(
  'api.rateLimit.window',
  Type.Integer({
    env: 'SVC_RATE_LIMIT_WINDOW',
    tier: 'runtime',
    default: 60_000,
    minimum: 1,
    title: 'Window',
    description: 'Length of one window of the rate limit, in milliseconds.',
  }),
)

/** All settings of the HTTP server. */
export const httpSettings = [
  port,
  probePort,
  host,
  apiPrefix,
  trustProxy,
  maxBodySize,
  maxAnonymousBodySize,
  maxMessageSize,
  shutdownTimeoutMs,
  drainMs,
  idleTimeoutMs,
  fallbackTimeoutMs,
  adapter,
  environmentName,
  processes,
  logRequests,
  logSlowRequestsMs,
  corsOrigins,
  rateLimitEnabled,
  rateLimitMax,
  rateLimitWindowMs,
]
