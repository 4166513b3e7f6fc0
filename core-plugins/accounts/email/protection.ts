import type { Config } from '../../foundation/config/config.ts'
import { credentialsOf } from './credentials.ts'
import {
  emailAllowInvalidCertificate,
  emailAllowUnencryptedAuth,
  emailRequireTls,
  emailSecure,
} from './settings.ts'

/** The required protection of a connection to the mail server. */
export interface Protection {
  /**
   * If false, the connection is encrypted if the server supports it, with any certificate: this protects against passive
   * listeners, and works with servers in their default installation.
   */
  readonly isEncryptionNeeded: boolean
  /** Whether the certificate must be valid, issued for the server's name, by a known authority. */
  readonly isCertificateChecked: boolean
  /** Why encryption is needed, for errors. */
  readonly reason: string
}

/** Strict if a password is sent over the connection, or if a setting requires it. */
export function protectionOf(config: Config): Protection {
  const reason = reasonOf(config)
  const isEncryptionNeeded = reason !== undefined
  const isCertificateChecked = isEncryptionNeeded && !config.get(emailAllowInvalidCertificate)
  return { isEncryptionNeeded, isCertificateChecked, reason: reason ?? '' }
}

function reasonOf(config: Config): string | undefined {
  const sendsPassword = credentialsOf(config) !== undefined
  if (sendsPassword && !config.get(emailAllowUnencryptedAuth)) return 'the password goes over this connection'
  const setting = [emailSecure, emailRequireTls].find((each) => config.get(each))
  return setting === undefined ? undefined : `${setting.key} is set`
}
