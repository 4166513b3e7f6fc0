import { type Config, panelAddress, siteAddress } from '../../foundation/config/config.ts'
import { AppError } from '../../foundation/http/http.ts'
import { origins } from './settings.ts'
import { isOnThisMachine } from './this-machine.ts'

/**
 * Browsers send the origin of the page. A foreign page whose host name resolves to this machine (DNS rebinding) has an unknown
 * origin; other clients send none.
 * @throws AppError 403
 */
export function assertOrigin(origin: string | undefined, config: Config): void {
  if (origin === undefined || knownOrigins(config).includes(origin)) return
  // For inspector tools during development.
  if (config.environment !== 'production' && isOnThisMachine(origin)) return
  throw AppError.forbidden('pages of this origin may not use the MCP server: add it to mcp.origins')
}

function knownOrigins(config: Config): readonly string[] {
  const addresses = [panelAddress(config), siteAddress(config)].filter((each) => each !== '')
  return [
    ...config.get(origins).map((each) => each.replace(/\/$/, '')),
    ...addresses.map((each) => new URL(each).origin),
  ]
}
