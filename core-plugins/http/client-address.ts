import { BlockList, isIP, isIPv6, SocketAddress } from 'node:net'

const ipv4InIpv6 = '::ffff:'

/** One spelling for one address: IPv6 shortened, IPv4 without the IPv6 form around it. */
export function compactAddress(address: string): string {
  if (!address.includes(':')) return address
  const short = new SocketAddress({ address, family: 'ipv6' }).address
  return short.startsWith(ipv4InIpv6) && short.includes('.') ? short.slice(ipv4InIpv6.length) : short
}

const namedNetworks: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** Tells whether the connection's other end is a proxy whose word counts. */
export type ProxyTrust = (address: string) => boolean

/**
 * Reads `server.trustProxy`.
 * @throws Error naming an entry that is neither an address nor a network
 */
export function compileProxyTrust(entries: readonly string[]): ProxyTrust {
  const list = new BlockList()
  for (const entry of entries.flatMap((name) => namedNetworks[name] ?? [name])) addNetwork(list, entry)
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

function addNetwork(list: BlockList, entry: string) {
  const [address = '', bits] = entry.split('/')
  const family = isIPv6(address) ? 'ipv6' : 'ipv4'
  if (bits === undefined) list.addAddress(address, family)
  else list.addSubnet(address, Number(bits), family)
}

/**
 * The client's address: each trusted proxy names the one before it at the end of `X-Forwarded-For`, so
 * the list is read from the end up to the first address that nobody trusted vouches for.
 */
export function clientAddress(
  peerAddress: string,
  forwardedFor: string | undefined,
  isTrusted: ProxyTrust,
): string {
  if (forwardedFor === undefined) return peerAddress
  const hops = forwardedFor.split(',').map((hop) => hop.trim())
  let address = peerAddress
  while (isTrusted(address)) {
    const hop = hops.pop()
    if (hop === undefined || isIP(hop) === 0) break
    address = compactAddress(hop)
  }
  return address
}
