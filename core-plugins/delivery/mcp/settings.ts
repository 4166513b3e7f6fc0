import { Type } from 'typebox'
import { defineSetting, type SettingProblem } from '../../foundation/config/config.ts'
import { isOnThisMachine } from './this-machine.ts'

export const enabled = defineSetting(
  'mcp.enabled',
  Type.Boolean({
    tier: 'infrastructure',
    default: false,
    title: 'MCP server',
    description:
      'Whether agents may use the service by the Model Context Protocol, with the rights of their token.',
  }),
)

export const origins = defineSetting(
  'mcp.origins',
  Type.Array(Type.String(), {
    tier: 'infrastructure',
    default: [],
    title: 'Origins of agents in browsers',
    description:
      'Web origins such as https://agents.example.com whose pages may use the MCP server, beside those of the service and its panel. ' +
      'They also have to be among the allowed origins of the API.',
  }),
)

export const authorizationServers = defineSetting(
  'mcp.authorizationServers',
  Type.Array(Type.String({ maxLength: 2_000 }), {
    tier: 'infrastructure',
    default: [],
    title: 'Authorization servers for agents',
    description:
      'Issuers such as https://id.example.com whose access tokens an authenticator of a plugin takes: clients that have no token are ' +
      'told to get one there. Nothing is told where there are none.',
  }),
  checkIssuers,
)

/** Checks issuers as RFC 8414 requires, except that plain HTTP is allowed for issuers on the same machine. */
function checkIssuers(values: readonly string[]): SettingProblem | undefined {
  const wrong = values.find((value) => !isIssuer(value))
  if (wrong === undefined) return undefined
  const message = `has "${wrong.slice(0, 200)}", which is not the address of an authorization server`
  const remedy = 'give https addresses without a query or fragment, such as https://id.example.com'
  return { severity: 'fatal', message, remedy }
}

function isIssuer(value: string): boolean {
  if (!URL.canParse(value) || /[?#]/.test(value)) return false
  const { protocol, username } = new URL(value)
  if (username !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && isOnThisMachine(value))
}

export const pageSize = defineSetting(
  'mcp.pageSize',
  Type.Integer({
    tier: 'runtime',
    default: 10,
    minimum: 1,
    maximum: 100,
    title: 'Page size for agents',
    description: 'How many items a list has where an agent asks for no number.',
  }),
)

export const maxAnswerLength = defineSetting(
  'mcp.maxAnswerLength',
  Type.Integer({
    tier: 'runtime',
    default: 40_000,
    minimum: 1_000,
    maximum: 10_000_000,
    title: 'Longest answer for agents',
    description:
      'How many characters an answer may have; whatever is longer is cut, and the agent is told how to ask for less. ' +
      'Agents read about four characters as a token.',
  }),
)

/** All settings of the plugin. */
export const mcpSettings = [enabled, origins, authorizationServers, pageSize, maxAnswerLength]
