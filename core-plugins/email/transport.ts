import { isIP } from 'node:net'
import type { Config } from '../config/config.ts'
import { credentialsOf, isWithheld } from './credentials.ts'
import { serverAddress } from './server-address.ts'
import {
  emailAllowUnencryptedAuth,
  emailFrom,
  emailHost,
  emailPort,
  emailRequireTls,
  emailSecure,
} from './settings.ts'

export interface OutgoingMail {
  readonly messageId: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string | null
}

/** Sends mails to the SMTP server. */
export interface Transport {
  /** Resolves when the server has accepted the mail. @throws MailError */
  send(mail: OutgoingMail): Promise<void>
  /** Connects and signs in, and sends nothing. @throws MailError */
  verify(): Promise<void>
}

/** The mail was not accepted. The message holds the error of the server or the network. */
export class MailError extends Error {
  /** The server will never accept this mail. */
  readonly isFinal: boolean

  constructor(message: string, isFinal: boolean, options?: ErrorOptions) {
    super(message, options)
    this.name = 'MailError'
    this.isFinal = isFinal
  }
}

type Smtp = ReturnType<typeof import('nodemailer').createTransport>

const connectTimeoutMs = 10_000
const silenceTimeoutMs = 30_000

/** Reads the settings for every mail, so that changes apply at once. One connection per mail. */
export function createTransport(config: Config): Transport {
  async function withServer(work: (smtp: Smtp) => Promise<unknown>): Promise<void> {
    try {
      const options = await optionsOf(config)
      // Slow to load, and most processes never send a mail.
      const { createTransport: createSmtp } = await import('nodemailer')
      const smtp = createSmtp(options)
      await work(smtp).finally(() => smtp.close())
    } catch (error) {
      throw mailErrorOf(error, config)
    }
  }

  return {
    send: (mail) => withServer((smtp) => smtp.sendMail(messageOf(mail, config.get(emailFrom)))),
    verify: () => withServer((smtp) => smtp.verify()),
  }
}

function messageOf({ messageId, to, subject, text, html }: OutgoingMail, from: string) {
  const domain = from.replace(/^.*@/, '').replace('>', '')
  return {
    ...{ from, subject, text, messageId: `<${messageId}@${domain}>` },
    ...(html === null ? {} : { html }),
    // As an object it is a single address, whatever characters it contains.
    to: { name: '', address: to },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

async function optionsOf(config: Config) {
  const host = config.get(emailHost)
  const auth = credentialsOf(config)
  const isTlsNeeded = auth !== undefined && !config.get(emailAllowUnencryptedAuth)
  return {
    host: await serverAddress(config),
    ...(isIP(host) === 0 ? { servername: host } : {}),
    port: config.get(emailPort),
    secure: config.get(emailSecure),
    requireTLS: isTlsNeeded || config.get(emailRequireTls),
    ...(auth === undefined ? {} : { auth }),
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: silenceTimeoutMs,
  }
}

const withheldHint =
  'the password was not sent, since server, port or user were set at run time: set them where the password is set'

interface SmtpError {
  readonly message: string
  readonly code?: string
  readonly responseCode?: number
}

/**
 * A 5xx for an address or the text is final, and an address that cannot be sent at all has no code; a refused
 * login is for the operator to fix.
 */
function mailErrorOf(error: unknown, config: Config): MailError {
  const { message, code, responseCode = 0 } = error as SmtpError
  const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  const isFinal = isAboutMail && (responseCode === 0 || responseCode >= 500)
  const hint = isWithheld(config) ? `; ${withheldHint}` : ''
  return new MailError(`the mail server did not take it: ${message}${hint}`, isFinal, { cause: error })
}
