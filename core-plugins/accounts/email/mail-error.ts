import type { Config } from '../../foundation/config/config.ts'
import { credentialsOf, isWithheld } from './credentials.ts'
import { type Protection, protectionOf } from './protection.ts'
import { withoutQuotes } from './quotes.ts'
import { emailAllowInvalidCertificate, emailPort, emailRequireTls, emailSecure } from './settings.ts'

/** The mail was not accepted. The message contains the error of the server or the network, but nothing of the mail. */
export class MailError extends Error {
  /** The server will never accept this mail. */
  readonly isFinal: boolean

  constructor(message: string, isFinal: boolean) {
    super(message)
    this.name = 'MailError'
    this.isFinal = isFinal
  }
}

/** An error of nodemailer. */
interface SmtpError {
  readonly message: string
  readonly code?: string
  /** The system or TLS error code, if `code` is nodemailer's own. */
  readonly originalCode?: string
  readonly responseCode?: number
}

/** Whether STARTTLS is not offered, is refused, or fails in the handshake. */
export function isWithoutTls(error: unknown): boolean {
  const { code, originalCode = '' } = error as SmtpError
  return code === 'ETLS' || originalCode.startsWith('ERR_SSL_')
}

/**
 * The error of a mail for administrators, with the remedy. Some servers quote what they refuse: the text of a mail may contain
 * a token, and a login contains the password, so the server's error is not kept as the cause.
 * @param text of the mail
 */
export function mailErrorOf(error: unknown, config: Config, text: string): MailError {
  if (error instanceof MailError) return error
  const { message, code, responseCode = 0 } = error as SmtpError
  const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  // An address that cannot be sent at all has no code; a refused login is for the operator to fix.
  const isFinal = isAboutMail && (responseCode === 0 || responseCode >= 500)
  const told = [
    `the mail server did not take it: ${withoutQuotes(message, { text, secrets: secretsOf(config) })}`,
    ...remediesOf(error, config),
  ]
  return new MailError(told.join('; '), isFinal)
}

/** The password in each form in which it may be sent, since a server that does not support AUTH may quote the line. */
function secretsOf(config: Config): string[] {
  const credentials = credentialsOf(config)
  if (credentials === undefined) return []
  const { user, pass } = credentials
  return [pass, ...[pass, `\0${user}\0${pass}`].map((form) => Buffer.from(form).toString('base64'))]
}

function remediesOf(error: unknown, config: Config): string[] {
  const protection = protectionOf(config)
  return [
    ...(protection.isCertificateChecked && isAboutCertificate(error)
      ? [certificateRemedy(config, protection)]
      : protection.isEncryptionNeeded && isWithoutTls(error)
        ? [encryptionRemedy(config, protection)]
        : []),
    ...(isWithheld(config) ? [withheldHint] : []),
  ]
}

const withheldHint =
  'the password was not sent, since server, port or user were set at run time: set them where the password is set'

function certificateRemedy(config: Config, { reason }: Protection): string {
  return (
    `${reason}, so the certificate must be valid: name its authority in NODE_EXTRA_CA_CERTS, use the name that the ` +
    `certificate is made out to, or set ${config.envNameOf(emailAllowInvalidCertificate)}=true`
  )
}

function encryptionRemedy(config: Config, { reason }: Protection): string {
  const how = config.get(emailSecure)
    ? `a port that speaks TLS from the start (465), or turn ${emailSecure.key} off`
    : `a port with STARTTLS (587), or one with TLS from the start and ${emailSecure.key}`
  const unless = reason.startsWith(emailRequireTls.key) ? `, or turn ${emailRequireTls.key} off` : ''
  return `${reason}, so it must be encrypted: use ${how}, in ${emailPort.key}${unless}`
}

/** Codes of Node.js and OpenSSL for a certificate that is not accepted. */
const certificateCodes =
  /^(ERR_TLS_CERT_ALTNAME_\w+|CERT_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|ERROR_IN_CERT_\w+)$/

function isAboutCertificate(error: unknown): boolean {
  const { code = '', originalCode = '' } = error as SmtpError
  return certificateCodes.test(originalCode) || certificateCodes.test(code)
}
