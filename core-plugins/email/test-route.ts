import { randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import { type Config, siteName } from '../config/config.ts'
import { AppError, defineRoute, type Route, strict } from '../http/http.ts'
import { isConfigured } from './settings.ts'
import { MailError, type Transport } from './transport.ts'

/** Lets an administrator test the settings at once. */
export function createTestRoute(config: Config, transport: Transport): Route {
  async function send(to: string): Promise<{ sent: boolean; error: string | null }> {
    const subject = `A test from ${config.get(siteName)}`
    const text = 'Mail is set up as it should be.'
    try {
      await transport.send({ messageId: randomUUID(), to, subject, text, html: null })
      return { sent: true, error: null }
    } catch (error) {
      if (!(error instanceof MailError)) throw error
      return { sent: false, error: error.message }
    }
  }

  return defineRoute({
    name: 'admin:email.test',
    method: 'POST',
    path: '/admin/email/test',
    summary: 'Send a test mail',
    description: 'Sends at once and answers how it went.',
    tag: 'Configuration',
    access: 'area',
    scope: 'admin:config:write',
    body: Type.Object({ to: Type.String({ format: 'email', maxLength: 255 }) }, strict),
    response: Type.Object({ sent: Type.Boolean(), error: Type.Union([Type.String(), Type.Null()]) }, strict),
    async handler({ body }) {
      if (!isConfigured(config)) {
        throw new AppError('CONFLICT', 'mail is not set up: set email.host and email.from, and email.enabled')
      }
      return send(body.to)
    },
  })
}
