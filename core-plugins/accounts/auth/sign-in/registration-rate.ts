import type { Config } from '../../../foundation/config/config.ts'
import { AppError } from '../../../foundation/http/http.ts'
import { registrationMaxPerAddress, registrationMaxTakenPerAddress } from '../settings.ts'
import { createAddressRate } from './address-rate.ts'

/** Limits the registrations of an address. */
export interface RegistrationRate {
  /**
   * Runs a registration. If it is refused because the name or address is taken, it counts for more, since many attempts
   * would reveal who has an account.
   * @throws AppError 429, and what `register` throws
   */
  limit<T>(address: string, register: () => Promise<T>): Promise<T>
}

/** A network may register this many times as often as a single address, as with logins. */
const networkFactor = 5

/** Counts per hour. */
export function createRegistrationRate(config: Config): RegistrationRate {
  const rateOf = (max: () => number, what: string) =>
    createAddressRate({
      windowMs: 60 * 60_000,
      maxPerAddress: max,
      maxPerNetwork: () => networkFactor * max(),
      what,
    })
  const all = rateOf(() => config.get(registrationMaxPerAddress), 'registrations')
  const taken = rateOf(() => config.get(registrationMaxTakenPerAddress), 'registrations')

  return {
    async limit(address, register) {
      all.begin(address)
      const takeBack = taken.begin(address)
      try {
        const registered = await register()
        takeBack()
        return registered
      } catch (error) {
        if (!(error instanceof AppError && error.code === 'CONFLICT')) takeBack()
        throw error
      }
    },
  }
}
