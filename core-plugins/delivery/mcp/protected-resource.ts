import { type Config, panelAddress } from '../../foundation/config/config.ts'
import { defineRoute, type ErrorReply, type Http, Reply, type Route } from '../../foundation/http/http.ts'
import { authorizationServers } from './settings.ts'

/* RFC 9728: tells clients without access where to get a token. Off unless authorization servers are configured. */

const wellKnown = '/.well-known/oauth-protected-resource'

export interface ProtectedResource {
  /** The metadata documents that clients request. */
  readonly routes: readonly Route[]
  /** The headers of a 401 response. */
  challenge(): NonNullable<ErrorReply['headers']>
}

/** Undefined without authorization servers. `path` is the path of the endpoint. */
export function protectedResource(
  path: string,
  name: string,
  http: Pick<Http, 'apiPrefix' | 'url'>,
  config: Config,
): ProtectedResource | undefined {
  const issuers = config.get(authorizationServers)
  if (issuers.length === 0) return undefined
  const below = `${http.apiPrefix}${path}`
  // Not from the Host header, which the client controls.
  const service = () => panelAddress(config) || http.url
  const describe = () => ({
    resource: `${service()}${below}`,
    resource_name: name,
    authorization_servers: issuers,
    bearer_methods_supported: ['header'],
  })
  return {
    // Clients first request the document at the endpoint's path, then at the root.
    routes: [
      metadataRoute(`${wellKnown}${below}`, 'mcp:resource.read', describe),
      metadataRoute(wellKnown, 'mcp:resource-at-root.read', describe),
    ],
    challenge: () => ({
      'www-authenticate': `Bearer resource_metadata="${service()}${wellKnown}${below}"`,
    }),
  }
}

function metadataRoute(path: string, name: string, describe: () => object): Route {
  return defineRoute({
    ...{ name, path, method: 'GET', mountedAt: 'root', tag: 'MCP' },
    summary: 'Where agents get a token for the MCP server (RFC 9728)',
    access: 'open',
    rawResponse: 'application/json',
    tool: false,
    handler() {
      const mediaType = 'application/json'
      return new Reply(200, { kind: 'raw', body: JSON.stringify(describe()), mediaType })
    },
  })
}
