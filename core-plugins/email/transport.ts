import type { Config } from '../config/config.ts'
import {
  emailFrom,
  emailHost,
  emailPassword,
  emailPort,
  emailRequireTls,
  emailSecure,
  emailUser,
} from './settings.ts'

export interface OutgoingMail {
  readonly messageId: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string | null
}

/** Hands mails to the SMTP server. */
export interface Transport {
  /** Resolves when the server has taken the mail. @throws MailError */
  send(mail: OutgoingMail): Promise<void>
}

/** The mail was not taken. The message tells what the server or the network said. */
export class MailError extends Error {
  /** The server will not take this mail at any time. */
  readonly isFinal: boolean

  constructor(message: string, isFinal: boolean, options?: ErrorOptions) {
    super(message, options)
    this.name = 'MailError'
    this.isFinal = isFinal
  }
}

const connectTimeoutMs = 10_000
const silenceTimeoutMs = 30_000

/** Reads the settings with every mail, so that a change counts at once. A connection per mail. */
export function createTransport(config: Config): Transport {
  return {
    async send({ messageId, to, ...content }) {
      // Slow to load, and most processes never send a mail.
      const { createTransport: createSmtp } = await import('nodemailer')
      const smtp = createSmtp(optionsOf(config))
      const from = config.get(emailFrom)
      const domain = from.replace(/^.*@/, '').replace('>', '')
      try {
        await smtp.sendMail({
          ...{ from, subject: content.subject, text: content.text, messageId: `<${messageId}@${domain}>` },
          ...(content.html === null ? {} : { html: content.html }),
          // As an object it is one address, whatever characters it has.
          to: { name: '', address: to },
          disableFileAccess: true,
          disableUrlAccess: true,
        })
      } catch (error) {
        throw mailErrorOf(error)
      } finally {
        smtp.close()
      }
    },
  }
}

function optionsOf(config: Config) {
  const user = config.get(emailUser)
  return {
    host: config.get(emailHost),
    port: config.get(emailPort),
    secure: config.get(emailSecure),
    requireTLS: config.get(emailRequireTls),
    ...(user === '' ? {} : { auth: { user, pass: config.get(emailPassword) } }),
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: silenceTimeoutMs,
  }
}

interface SmtpError {
  readonly message: string
  readonly code?: string
  readonly responseCode?: number
}

/**
 * A 5xx to an address or to the text is the server's last word, and an address that cannot be sent at all has no
 * code; a refused sign-in is the operator's to mend.
 */
function mailErrorOf(error: unknown): MailError {
  const { message, code, responseCode = 0 } = error as SmtpError
  const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  const isFinal = isAboutMail && (responseCode === 0 || responseCode >= 500)
  return new MailError(`the mail server did not take it: ${message}`, isFinal, { cause: error })
}
