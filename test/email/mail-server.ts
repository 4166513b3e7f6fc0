import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'

/** A mail as it came. */
export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** Headers and body, with soft line breaks and encoded characters undone. */
  readonly source: string
}

/** An SMTP server on a free port. */
export interface MailServer {
  readonly port: number
  readonly mails: readonly ReceivedMail[]
  /** The passwords that it was sent, right or wrong. */
  readonly passwords: readonly string[]
  /** How often somebody has begun to send one. */
  readonly attempts: number
  /** Refuses recipients with this code from now on; undefined takes all. */
  refuses(code: number | undefined): void
  /** Refuses texts with this code from now on, and quotes them, as filters do; undefined takes all. */
  refusesTexts(code: number | undefined): void
  /** The texts that it has refused. */
  readonly refusedTexts: readonly string[]
  gets(count: number): Promise<readonly ReceivedMail[]>
  close(): Promise<void>
}

/** What a test mail says of a connection without TLS. */
export const notEncrypted = { encryption: null, isTrusted: null, problem: null }

export const smtpUser = 'cms'
export const smtpPassword = 'the smtp password'

export interface MailServerOptions {
  /** Offers STARTTLS, with a certificate that nobody has reason to trust. */
  readonly offersTls?: boolean
  /** Takes mails from those who do not sign in, too. */
  readonly isOpen?: boolean
}

export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const passwords: string[] = []
  const mails: ReceivedMail[] = []
  const waiting = new Set<() => void>()
  const refusedTexts: string[] = []
  let refusal: number | undefined
  let textRefusal: number | undefined
  let attempts = 0
  const server = new SMTPServer({
    disabledCommands: options.offersTls === true ? [] : ['STARTTLS'],
    authOptional: options.isOpen === true,
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, callback) {
      passwords.push(password ?? '')
      const isRight = username === smtpUser && password === smtpPassword
      callback(isRight ? null : new Error('no such user'), isRight ? { user: username } : undefined)
    },
    onRcptTo(_address, _session, callback) {
      attempts++
      callback(refusal === undefined ? null : Object.assign(new Error('not here'), { responseCode: refusal }))
    },
    onData(stream, session, callback) {
      void text(stream).then((source) => {
        if (textRefusal !== undefined) {
          const { source: refused } = mailOf(session, source)
          refusedTexts.push(refused)
          return callback(quoting(refused, textRefusal))
        }
        mails.push(mailOf(session, source))
        callback()
        for (const look of waiting) look()
      })
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('the mail server has no port')
  return {
    port: address.port,
    mails,
    passwords,
    get attempts() {
      return attempts
    },
    refuses(code) {
      refusal = code
    },
    refusesTexts(code) {
      textRefusal = code
    },
    refusedTexts,
    gets: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (mails.length < count) return
          waiting.delete(look)
          resolve(mails)
        }
        waiting.add(look)
        look()
      }),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** Its links in one line, whole and cut in two. */
function quoting(source: string, responseCode: number): Error {
  const links = source.match(/https:\S+/g) ?? []
  const halves = links.flatMap((link) => [link.slice(0, -15), link.slice(-15)])
  return Object.assign(new Error(`spam: ${[...links, ...halves].join(' ')}`), { responseCode })
}

function mailOf({ envelope }: SMTPServerSession, source: string): ReceivedMail {
  const { mailFrom, rcptTo } = envelope
  return {
    from: mailFrom === false ? '' : mailFrom.address,
    to: rcptTo.map(({ address }) => address),
    source: source
      .replace(/=\r\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
  }
}
