import type { Config } from '../../foundation/config/config.ts'
import { credentialsOf } from './credentials.ts'
import {
  emailAllowInvalidCertificate,
  emailAllowUnencryptedAuth,
  emailRequireTls,
  emailSecure,
} from './settings.ts'

/** What a connection to the mail server must be before anything goes over it. */
export interface Protection {
  /**
   * Otherwise it is encrypted where the server can, by whatever certificate: that keeps those out who only listen, and mail
   * leaves through a server as it was installed, too.
   */
  readonly isEncryptionNeeded: boolean
  /** The certificate must be valid, made out to the server's name, by a known authority. */
  readonly isCertificateChecked: boolean
  /** Why encryption is needed, for errors. */
  readonly reason: string
}

/** Strict where a password goes over the connection, or a setting says so. */
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
