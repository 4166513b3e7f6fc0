import { isIP } from 'node:net'
import type { Config } from '../../foundation/config/config.ts'
import { createAddressGuard } from '../../foundation/outgoing/outgoing.ts'
import { emailAllowPrivateNetworks, emailHost } from './settings.ts'

const guard = createAddressGuard({ allowedBy: emailAllowPrivateNetworks.key })

/**
 * The address to connect to for `email.host`. In production a server set at run time must have a public
 * address, so that mail cannot be used to reach the internal network. The resolved address is used for the
 * connection, since the next lookup may differ.
 * @throws RefusedAddressError, Error if the name has no address
 */
export async function serverAddress(config: Config): Promise<string> {
  const host = config.get(emailHost)
  const isTrusted = config.sourceOf(emailHost) !== 'database' || config.get(emailAllowPrivateNetworks)
  if (isTrusted || config.environment !== 'production') return host
  guard.checkHost(host)
  return isIP(host) === 0 ? lookUp(host) : host
}

function lookUp(host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    guard.lookup(host, {}, (error, address) => {
      if (error === null) resolve(String(address))
      else reject(error)
    })
  })
}
