import type { Config } from '../../foundation/config/config.ts'
import { compose, type OutgoingMail } from './compose.ts'
import { mailErrorOf } from './mail-error.ts'
import { emailFrom } from './settings.ts'
import { type Connection, openSession, type SmtpSession } from './smtp-session.ts'

/** Sends mails to the SMTP server. */
export interface Transport {
  /** Resolves when the server has accepted the mail, with details of the connection. @throws MailError */
  send(mail: OutgoingMail): Promise<Connection>
  /** Connects and authenticates without sending anything. @throws MailError */
  verify(): Promise<Connection>
}

/** Reads the settings for every mail, so that changes apply at once. One connection per mail. */
export function createTransport(config: Config): Transport {
  async function withServer(
    text: string,
    work: (session: SmtpSession) => Promise<void>,
  ): Promise<Connection> {
    try {
      const session = await openSession(config)
      await work(session).finally(() => session.close())
      return session.connection
    } catch (error) {
      throw mailErrorOf(error, config, text)
    }
  }

  return {
    send: (mail) =>
      withServer(mail.text, async (session) => {
        const { envelope, message } = await compose(mail, config.get(emailFrom))
        await session.send(envelope, message)
      }),
    verify: () => withServer('', async () => undefined),
  }
}
