import { isIP } from 'node:net'
import { TLSSocket } from 'node:tls'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { Config } from '../../foundation/config/config.ts'
import { isLoopback } from '../../foundation/http/http.ts'
import { credentialsOf } from './credentials.ts'
import { isWithoutTls, MailError } from './mail-error.ts'
import { type Protection, protectionOf } from './protection.ts'
import { serverAddress } from './server-address.ts'
import { emailAllowUnencryptedAuth, emailHost, emailPort, emailSecure } from './settings.ts'

/** How the connection to the mail server is protected. */
export interface Connection {
  /** For example `TLSv1.3`; null if the connection is not encrypted. */
  readonly encryption: string | null
  /** Whether the certificate proves the identity of the server; null without a certificate. */
  readonly isTrusted: boolean | null
  /** The reason if it does not: `DEPTH_ZERO_SELF_SIGNED_CERT`. */
  readonly problem: string | null
  /** Whether the server runs on this machine, so that the connection cannot be intercepted. */
  readonly isLocal: boolean
}

/** An open session, authenticated if credentials are configured. */
export interface SmtpSession {
  readonly connection: Connection
  /** @throws MailError if an address requires an extension that the server lacks, Error of the server or the network */
  send(
    envelope: { readonly from: string; readonly to: string },
    message: NodeJS.ReadableStream,
  ): Promise<void>
  close(): void
}

const connectTimeoutMs = 10_000
const silenceTimeoutMs = 30_000

/** @throws Error of the server or the network */
export async function openSession(config: Config): Promise<SmtpSession> {
  const protection = protectionOf(config)
  const smtp = await connect(config, protection).catch(async (error) => {
    if (protection.isEncryptionNeeded || !isWithoutTls(error)) throw error
    // The server offers STARTTLS but fails, for example because its certificate is missing.
    return connect(config, protection, { ignoreTLS: true })
  })
  const offered = extensionsOf(smtp)
  try {
    await signIn(smtp, config, offered)
  } catch (error) {
    smtp.close()
    throw error
  }
  return {
    connection: connectionOf(smtp),
    async send(envelope, message) {
      if (needsUtf8(envelope) && !offered.has('SMTPUTF8')) throw withoutUtf8()
      await inSession(smtp, (done) => smtp.send(envelope, message as never, done))
    },
    close: () => smtp.close(),
  }
}

async function connect(
  config: Config,
  { isEncryptionNeeded, isCertificateChecked }: Protection,
  more: { readonly ignoreTLS?: boolean } = {},
): Promise<SMTPConnection> {
  const host = config.get(emailHost)
  // Slow to load, and most processes never send a mail.
  const { default: Smtp } = await import('nodemailer/lib/smtp-connection')
  const smtp = new Smtp({
    host: await serverAddress(config),
    port: config.get(emailPort),
    secure: config.get(emailSecure),
    requireTLS: isEncryptionNeeded,
    tls: { rejectUnauthorized: isCertificateChecked, ...(isIP(host) === 0 ? { servername: host } : {}) },
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: silenceTimeoutMs,
    ...more,
  })
  await inSession(smtp, (done) => smtp.connect(done))
  return smtp
}

async function signIn(smtp: SMTPConnection, config: Config, offered: ReadonlySet<string>): Promise<void> {
  const credentials = credentialsOf(config)
  if (credentials === undefined || !offered.has('AUTH')) return
  // The connection should be encrypted at this point; checked again before a password is sent.
  if (!smtp.secure && !config.get(emailAllowUnencryptedAuth)) {
    throw new MailError('the password is not sent over a connection that is not encrypted', false)
  }
  await inSession(smtp, (done) => smtp.login({ credentials }, done))
}

type Done = (error?: Error | null) => void

/** Runs a command; an error of the connection ends it without a response. */
function inSession(smtp: SMTPConnection, act: (done: Done) => void): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    smtp.once('error', reject)
    smtp.once('end', () => reject(new Error('the server closed the connection')))
    act((error) => (error ? reject(error) : resolve()))
  })
}

/** The extensions that the server offers on the current connection, from its response to the last EHLO. */
function extensionsOf(smtp: SMTPConnection): ReadonlySet<string> {
  const lines = String(smtp.lastServerResponse).toUpperCase().split(/\r?\n/).slice(1)
  return new Set(lines.map((line) => line.replace(/^250[ -]/, '').split(/[ =]/, 1)[0] ?? ''))
}

function connectionOf({ secure, _socket: socket }: SMTPConnection): Connection {
  const isLocal = isLoopback((socket || undefined)?.remoteAddress ?? '')
  if (!secure || !(socket instanceof TLSSocket)) {
    return { encryption: null, isTrusted: null, problem: null, isLocal }
  }
  const { authorized: isTrusted, authorizationError } = socket
  const problem = isTrusted ? null : String(authorizationError)
  return { encryption: socket.getProtocol(), isTrusted, problem, isLocal }
}

const needsUtf8 = ({ from, to }: { readonly from: string; readonly to: string }) => /[^ -~]/.test(from + to)

function withoutUtf8(): MailError {
  const message =
    'the mail server takes no addresses with letters beyond ASCII before the @ (SMTPUTF8): use a server that does, or ' +
    'another address'
  return new MailError(message, true)
}
