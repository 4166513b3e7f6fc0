import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The address of the target is not allowed. */
export class RefusedAddressError extends Error {
  constructor(address: string, range: string, allowedBy: string) {
    super(
      `${address} is refused: ${range} addresses are not reached from production; ` +
        `set ${allowedBy} if the receiver really is there`,
    )
    this.name = 'RefusedAddressError'
  }
}

/** Checks addresses, never names: a name can resolve to another address from one look-up to the next. */
export interface AddressGuard {
  /** Refuses a host that is written as an address; names pass, and are checked by `lookup`. @throws RefusedAddressError */
  checkHost(host: string): void
  /** Resolves a name for the connection about to be made, and returns only allowed addresses. */
  readonly lookup: LookupFunction
  /** Why a host would be refused now; undefined if it would not, or if that takes too long to find out. */
  refusalOf(host: string): Promise<string | undefined>
}

/** Allows all addresses: for development, and for operators who choose to. */
export const openGuard: AddressGuard = {
  checkHost: () => undefined,
  lookup: systemLookup,
  refusalOf: async () => undefined,
}

/**
 * How long a check may take while a client waits for its answer, in milliseconds. Connections are checked again, so
 * later refusals are logged.
 */
const soonMs = 3_000

export interface AddressGuardOptions {
  /** The setting that allows other addresses, for messages. */
  readonly allowedBy: string
  /** Default: the system's resolver. */
  readonly lookup?: LookupFunction
}

/** Allows only public addresses. */
export function createAddressGuard({ allowedBy, lookup = systemLookup }: AddressGuardOptions): AddressGuard {
  const guard: AddressGuard = {
    checkHost(host) {
      if (isIP(host) === 0) return
      const range = refusedRange(host)
      if (range !== undefined) throw new RefusedAddressError(host, range, allowedBy)
    },
    lookup(hostname, options, callback) {
      lookup(hostname, { ...options, all: true }, (error, addresses) => {
        if (error !== null) return callback(error, [])
        const found = typeof addresses === 'string' ? [] : addresses
        const allowed = found.filter(({ address }) => refusedRange(address) === undefined)
        const [first] = allowed
        if (first === undefined) return callback(refusal(hostname, found[0]?.address, allowedBy), [])
        return options.all === true ? callback(null, allowed) : callback(null, first.address, first.family)
      })
    },
    refusalOf: (host) =>
      new Promise((resolve) => {
        const end = (error: unknown) => {
          clearTimeout(timer)
          resolve(error instanceof RefusedAddressError ? error.message : undefined)
        }
        const timer = setTimeout(end, soonMs, undefined)
        try {
          guard.checkHost(host)
          guard.lookup(host, {}, end)
        } catch (error) {
          end(error)
        }
      }),
  }
  return guard
}

function refusal(hostname: string, address: string | undefined, allowedBy: string): Error {
  if (address === undefined) return new Error(`${hostname} has no address`)
  return new RefusedAddressError(`${hostname} (${address})`, refusedRange(address) ?? 'such', allowedBy)
}

const rangeNames: Readonly<Record<string, string>> = {
  linkLocal: 'link-local',
  uniqueLocal: 'private',
  carrierGradeNat: 'carrier-grade NAT',
  ipv4Mapped: 'private',
}

// Azure's host service: a public address that is only reachable from within a virtual machine.
const hostServices = new Set(['168.63.129.16'])
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/** The name of the address range that is refused; undefined for public addresses. */
export function refusedRange(address: string): string | undefined {
  if (!ipaddr.isValid(address)) return 'unknown'
  // Converts IPv4-mapped addresses to IPv4.
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return refusedIpv4Range(parsed)
  // The network translates these to IPv4, so the resulting address counts.
  if (parsed.match(nat64)) return refusedIpv4Range(new ipaddr.IPv4(parsed.toByteArray().slice(12)))
  const range = parsed.range()
  if (range !== 'unicast') return rangeNames[range] ?? range
  return parsed.match(globalUnicast) ? undefined : 'reserved'
}

function refusedIpv4Range(address: ipaddr.IPv4): string | undefined {
  if (hostServices.has(address.toString())) return 'host service'
  const range = address.range()
  return range === 'unicast' ? undefined : (rangeNames[range] ?? range)
}
