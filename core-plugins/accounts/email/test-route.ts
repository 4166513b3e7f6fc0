import { randomUUID } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { type Config, siteName } from '../../foundation/config/config.ts'
import { AppError, defineRoute, orNull, type Route, strict } from '../../foundation/http/http.ts'
import { MailError } from './mail-error.ts'
import { isConfigured } from './settings.ts'
import type { Transport } from './transport.ts'

const textOrNull = (description: string) => orNull(Type.String(), { description })

const connectionSchema = Type.Object(
  {
    encryption: textOrNull('Such as TLSv1.3; null where it was not encrypted'),
    isTrusted: orNull(Type.Boolean(), {
      description: 'Whether the certificate proves who the server is; null without one',
    }),
    problem: textOrNull('Why it does not, such as DEPTH_ZERO_SELF_SIGNED_CERT'),
  },
  strict,
)

export const mailTestSchema = Type.Object(
  {
    sent: Type.Boolean(),
    error: textOrNull('What the server said, and what to do'),
    connection: orNull(connectionSchema),
  },
  strict,
)

/** Lets an administrator test the settings at once. */
export function createTestRoute(config: Config, transport: Transport): Route {
  async function send(to: string): Promise<Static<typeof mailTestSchema>> {
    const subject = `A test from ${config.get(siteName)}`
    const text = 'Mail is set up as it should be.'
    try {
      const mail = { messageId: randomUUID(), to, subject, text, html: null }
      const { encryption, isTrusted, problem } = await transport.send(mail)
      return { sent: true, error: null, connection: { encryption, isTrusted, problem } }
    } catch (error) {
      if (!(error instanceof MailError)) throw error
      return { sent: false, error: error.message, connection: null }
    }
  }

  return defineRoute({
    name: 'admin:email.test',
    method: 'POST',
    path: '/admin/email/test',
    summary: 'Send a test mail',
    description: 'Sends at once and answers how it went, and how the connection was protected.',
    tag: 'Configuration',
    access: 'area',
    scope: 'admin:config:write',
    body: Type.Object({ to: Type.String({ format: 'idn-email', maxLength: 255 }) }, strict),
    response: mailTestSchema,
    async handler({ body }) {
      if (!isConfigured(config)) {
        throw new AppError('CONFLICT', 'mail is not set up: set email.host and email.from, and email.enabled')
      }
      return send(body.to)
    },
  })
}
