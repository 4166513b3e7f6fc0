/** Where the sign-in page leaves the token for the playground; gone when the tab is closed. */
export const storageKey = 'mortise-graphql-token'

const example = `# Mortise over GraphQL. The panel on the right shows what there is.
# { articles(limit: 5, sort: "created_at:desc") { data { id title } pagination { total } } }

{
  __schema {
    queryType {
      fields {
        name
        description
      }
    }
  }
}
`

/**
 * Starts the playground. With a token it sends POST; without one, for those whom the panel's cookie has let in, GET,
 * which takes the cookie and runs no mutations. Nothing of it is kept in the browser: it holds the token.
 */
export function startScript(apiPrefix: string): string {
  return `const token = sessionStorage.getItem('${storageKey}')
const endpoint = location.origin + '${apiPrefix}/graphql'
AltairGraphQL.init({
  endpointURL: endpoint,
  subscriptionsEndpoint: endpoint.replace('http', 'ws'),
  initialSubscriptionRequestHandlerId: 'graphql-ws',
  initialSubscriptionsPayload: token ? { authorization: 'Bearer ' + token } : {},
  initialHttpMethod: token ? 'POST' : 'GET',
  initialHeaders: token ? { authorization: 'Bearer ' + token } : {},
  initialQuery: ${JSON.stringify(example)},
  initialSettings: { 'schema.reloadOnStart': true, enableExperimental: false, 'alert.disableWarnings': true, 'banners.disable': true, 'alert.disableUpdateNotification': true },
  preserveState: false,
  disableAccount: true,
})
`
}
