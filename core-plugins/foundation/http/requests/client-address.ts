import { BlockList, isIP, isIPv6, SocketAddress } from 'node:net'
import ipaddr from 'ipaddr.js'

const ipv4InIpv6 = '::ffff:'

/** Normalises an address: IPv6 shortened, IPv4 without the IPv6 form around it. */
export function compactAddress(address: string): string {
  if (!address.includes(':')) return address
  const short = new SocketAddress({ address, family: 'ipv6' }).address
  return short.startsWith(ipv4InIpv6) && short.includes('.') ? short.slice(ipv4InIpv6.length) : short
}

/**
 * Reduces an address to the client it identifies: a single IPv4 host, or the /64 that an IPv6 client has to
 * itself.
 */
export function clientOf(address: string): string {
  return address.includes(':') ? beginningOf(address, 4) : address
}

/** The network around an address that one party is likely to control: a /24 of IPv4, a /48 of IPv6. */
export function networkOf(address: string): string {
  return address.includes(':') ? beginningOf(address, 3) : address.split('.', 3).join('.')
}

function beginningOf(address: string, groups: number): string {
  const { parts } = ipaddr.IPv6.parse(address)
  return parts
    .slice(0, groups)
    .map((part) => part.toString(16))
    .join(':')
}

/** Whether an address belongs to this machine. */
export function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.')
}

const namedNetworks: ReadonlyMap<string, readonly string[]> = new Map([
  ['loopback', ['127.0.0.0/8', '::1/128']],
  ['private', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']],
])

/** Returns whether the peer of the connection is a trusted proxy. */
export type ProxyTrust = (address: string) => boolean

/** Whether an entry of `server.trustProxy` is valid. */
export function isNetwork(entry: string): boolean {
  if (namedNetworks.has(entry)) return true
  const [address = '', bits = '0', ...more] = entry.split('/')
  const longest = isIPv6(address) ? 128 : 32
  return isIP(address) !== 0 && more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= longest
}

/** Compiles `server.trustProxy`; all entries must be valid. */
export function compileProxyTrust(entries: readonly string[]): ProxyTrust {
  const list = new BlockList()
  for (const entry of entries.flatMap((name) => namedNetworks.get(name) ?? [name])) addNetwork(list, entry)
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

function addNetwork(list: BlockList, entry: string) {
  const [address = '', bits] = entry.split('/')
  const family = isIPv6(address) ? 'ipv6' : 'ipv4'
  if (bits === undefined) list.addAddress(address, family)
  else list.addSubnet(address, Number(bits), family)
}

/** Stands for a client that a proxy on this machine does not name: the machine's own address has privileges. */
const unnamed = '0.0.0.0'

/**
 * Returns the client's address. Each trusted proxy appends the address it was called from to `X-Forwarded-For`, in a
 * separate line or at the end of the previous one, so the list is read from the end up to the first address that is
 * not a trusted proxy. If an entry is not an address, the proxy that added it counts as the client.
 */
export function clientAddress(
  peerAddress: string,
  forwardedFor: string | undefined,
  isTrusted: ProxyTrust,
): string {
  if (forwardedFor === undefined || !isTrusted(peerAddress)) return peerAddress
  const hops = forwardedFor.split(',').map((hop) => hop.trim())
  let address = peerAddress
  while (isTrusted(address)) {
    const hop = hops.pop()
    if (hop === undefined) break
    if (hop === '') continue
    const named = addressIn(hop)
    if (named === undefined) return isLoopback(address) ? unnamed : address
    address = named
  }
  return address
}

/**
 * The address in one entry of the list, which may include a port; undefined if it is not an address, such as
 * `unknown` or `unix:`.
 */
function addressIn(hop: string): string | undefined {
  const [, bracketed, plain] = /^(?:\[([\da-fA-F:.]{2,45})\]|([\d.]{7,15}))(?::\d{1,5})?$/.exec(hop) ?? []
  const address = bracketed ?? plain ?? hop
  if (isIP(address) === 0 || address.includes('%')) return undefined
  return compactAddress(address)
}
