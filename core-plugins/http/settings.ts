import { defineSetting } from '../config/config.ts'
import { isNetwork } from './client-address.ts'

export type AdapterChoice = 'auto' | 'hyper-express' | 'node-http'

export type RequestLogChoice = 'all' | 'errors' | 'none'

export const port = defineSetting<number>({
  key: 'server.port',
  env: 'PORT',
  tier: 'infrastructure',
  type: 'integer',
  default: 2102,
  min: 0,
  max: 65_535,
  label: 'Port',
  description: 'TCP port that the server listens on; 0 takes any free one.',
})

export const host = defineSetting<string>({
  key: 'server.host',
  env: 'HOST',
  tier: 'infrastructure',
  type: 'string',
  default: 'localhost',
  label: 'Host',
  description: 'Name or address that the server listens on; 0.0.0.0 is every IPv4 address, :: also IPv6.',
})

export const apiPrefix = defineSetting<string>({
  key: 'api.prefix',
  env: 'SVC_API_PREFIX',
  tier: 'infrastructure',
  type: 'string',
  default: '/api',
  label: 'API prefix',
  description: 'Path that every endpoint lies under.',
  check: (value) =>
    /^(\/[A-Za-z0-9._-]+)+$/.test(value)
      ? undefined
      : {
          severity: 'fatal',
          message: `is "${value}", which is not a path prefix`,
          remedy: 'use one or more segments such as /api or /cms/api, without a slash at the end',
        },
})

export const trustProxy = defineSetting<readonly string[]>({
  key: 'server.trustProxy',
  tier: 'infrastructure',
  type: 'string[]',
  default: [],
  label: 'Trusted proxies',
  description:
    'Addresses or networks (10.0.0.0/8, loopback, private) of the proxies whose X-Forwarded-For counts.',
  check(value) {
    const wrong = value.find((entry) => !isNetwork(entry))
    if (wrong === undefined) return undefined
    return {
      severity: 'fatal',
      message: `has "${wrong}", which is neither an address nor a network`,
      remedy: 'list addresses, networks such as 10.0.0.0/8, or the names loopback and private',
    }
  },
})

export const maxBodySize = defineSetting<number>({
  key: 'server.maxBodySize',
  tier: 'infrastructure',
  type: 'integer',
  default: 5 * 1024 * 1024,
  min: 1024,
  label: 'Largest body',
  description: 'Largest JSON body that a request may carry, in bytes; uploads have a limit of their own.',
})

export const shutdownTimeoutMs = defineSetting<number>({
  key: 'server.shutdownTimeoutMs',
  tier: 'infrastructure',
  type: 'integer',
  default: 8_000,
  min: 0,
  label: 'Shutdown time',
  description:
    'How long requests in flight may take to finish when the service stops, in milliseconds; ' +
    'everything else has to stop in what is left of ten seconds.',
})

export const drainMs = defineSetting<number>({
  key: 'server.drainMs',
  tier: 'infrastructure',
  type: 'integer',
  default: 5_000,
  min: 0,
  max: 600_000,
  label: 'Drain time',
  description:
    'How long the service goes on serving after SIGTERM while readyz answers 503 already, in milliseconds: longer than ' +
    'load balancers take to notice. When nothing is set: 5000 in production, 0 otherwise.',
})

export const adapter = defineSetting<AdapterChoice>({
  key: 'server.adapter',
  tier: 'infrastructure',
  type: 'string',
  default: 'auto',
  enum: ['auto', 'hyper-express', 'node-http'],
  label: 'Server',
  description: 'hyper-express, node-http, or auto: hyper-express wherever its native binary loads.',
})

export const environmentName = defineSetting<string>({
  key: 'server.environment',
  env: 'NODE_ENV',
  tier: 'infrastructure',
  type: 'string',
  default: 'development',
  label: 'Environment',
  description:
    'production, development, or test: as development, and answers are compared with their schemas.',
})

export const workers = defineSetting<number>({
  key: 'server.workers',
  env: 'SVC_WORKERS',
  tier: 'infrastructure',
  type: 'integer',
  default: 1,
  min: 1,
  max: 256,
  label: 'Processes',
  description: 'How many processes share the port.',
})

export const logRequests = defineSetting<RequestLogChoice>({
  key: 'log.requests',
  tier: 'infrastructure',
  type: 'string',
  default: 'errors',
  enum: ['all', 'errors', 'none'],
  label: 'Access log',
  description: 'Which requests get a line in the log: all, errors (5xx and slow ones) or none.',
})

export const logSlowRequestsMs = defineSetting<number>({
  key: 'log.slowRequestsMs',
  tier: 'infrastructure',
  type: 'integer',
  default: 1000,
  min: 0,
  label: 'Slow request',
  description: 'A request that takes longer is logged as slow, in milliseconds.',
})

export const corsOrigins = defineSetting<readonly string[]>({
  key: 'api.cors.origins',
  env: 'SVC_CORS_ORIGINS',
  tier: 'runtime',
  type: 'string[]',
  default: [],
  label: 'Allowed origins',
  description:
    'Web origins such as https://example.com whose pages may call the API; * is any. ' +
    'When nothing is set: none in production, any in development.',
})

export const rateLimitEnabled = defineSetting<boolean>({
  key: 'api.rateLimit.enabled',
  env: 'SVC_RATE_LIMIT_ENABLED',
  tier: 'runtime',
  type: 'boolean',
  default: false,
  label: 'Rate limit',
  description: 'Whether the number of requests of one client address is limited.',
})

export const rateLimitMax = defineSetting<number>({
  key: 'api.rateLimit.max',
  env: 'SVC_RATE_LIMIT_MAX',
  tier: 'runtime',
  type: 'integer',
  default: 100,
  label: 'Requests per window',
  description: 'How many requests a client address may make in one window; less than 1 counts as 1.',
})

export const rateLimitWindowMs = defineSetting<number>({
  key: 'api.rateLimit.window',
  env: 'SVC_RATE_LIMIT_WINDOW',
  tier: 'runtime',
  type: 'integer',
  default: 60_000,
  min: 1,
  label: 'Window',
  description: 'Length of one window of the rate limit, in milliseconds.',
})

/** Everything that an operator can tell the HTTP server. */
export const httpSettings = [
  port,
  host,
  apiPrefix,
  trustProxy,
  maxBodySize,
  shutdownTimeoutMs,
  drainMs,
  adapter,
  environmentName,
  workers,
  logRequests,
  logSlowRequestsMs,
  corsOrigins,
  rateLimitEnabled,
  rateLimitMax,
  rateLimitWindowMs,
]
