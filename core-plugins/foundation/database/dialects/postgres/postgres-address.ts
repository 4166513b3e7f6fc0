import { takeTls } from '../tls.ts'

/** An address as the driver takes it, and an option for settings that the driver does not read from addresses. */
export interface PostgresAddress {
  readonly url: string
  readonly ssl: { readonly ssl?: false | 'prefer' | object }
}

/** @throws Error if a certificate cannot be read */
export function postgresAddress(address: string): PostgresAddress {
  const { url, tls } = takeTls(address)
  if (tls === undefined) return { url, ssl: {} }
  if (tls.mode === 'disable') return { url, ssl: { ssl: false } }
  return { url, ssl: { ssl: tls.mode === 'prefer' ? 'prefer' : tls.options } }
}
