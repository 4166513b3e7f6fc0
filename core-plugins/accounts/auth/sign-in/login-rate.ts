import type { Config } from '../../../foundation/config/config.ts'
import { loginMaxPerAddress, loginMaxPerNetwork } from '../settings.ts'
import { type AddressRate, createAddressRate } from './address-rate.ts'

/** Limits the failed logins of an address in a minute, for all identifiers together. */
export type LoginRate = AddressRate

/** Counts per minute. */
export function createLoginRate(config: Config, now?: () => number): LoginRate {
  const limits = {
    maxPerAddress: () => config.get(loginMaxPerAddress),
    maxPerNetwork: () => config.get(loginMaxPerNetwork),
  }
  return createAddressRate({ ...limits, windowMs: 60_000, what: 'failed logins' }, now)
}
