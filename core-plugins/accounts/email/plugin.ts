import { definePlugin } from '../../../kernel/index.ts'
import { jobKinds, jobsService } from '../../background/jobs/jobs.ts'
import { defineSchedule, schedules } from '../../background/schedules/schedules.ts'
import { configService, settings } from '../../foundation/config/config.ts'
import { databaseService, tables } from '../../foundation/database/database.ts'
import { routes } from '../../foundation/http/http.ts'
import { passwordLinkMail, passwordResetDelivery, takenAddressMail } from '../auth/auth.ts'
import { type Email, emailService } from './email.ts'
import { createMailStore, mailsTable } from './mail-store.ts'
import { mailOfLink } from './password-link-mail.ts'
import { passwordResetMail } from './password-reset-mail.ts'
import { createExpiryJob, createSendJob } from './send-job.ts'
import { emailSettings, isConfigured } from './settings.ts'
import { takenAddressLetter } from './taken-address-letter.ts'
import { createTestRoute } from './test-route.ts'
import { createTransport } from './transport.ts'

/** Sends mail by SMTP, for other plugins and for password resets. */
export const emailPlugin = definePlugin({
  name: 'email',
  description:
    'Sends mail by SMTP, as jobs; tells those who forgot their password, or are invited, how to set one',
  uses: { config: configService, database: databaseService, jobs: jobsService },
  provides: [emailService],

  register({ contribute }) {
    for (const setting of emailSettings) contribute(settings, setting)
    contribute(tables, mailsTable.spec)
  },

  init({ services: { config, database, jobs }, contribute, provide }) {
    const mails = createMailStore(database)
    const transport = createTransport(config)
    const sending = createSendJob(config, mails, transport)
    const expiring = createExpiryJob(mails)
    const email: Email = {
      get isConfigured() {
        return isConfigured(config)
      },
      async send(tx, message) {
        await jobs.enqueue(tx, sending, { email: await mails.add(message, tx) })
      },
    }
    provide(emailService, email)
    contribute(jobKinds, sending)
    contribute(jobKinds, expiring)
    contribute(
      schedules,
      defineSchedule({ name: expiring.name, kind: expiring, payload: {}, cronExpression: '*/10 * * * *' }),
    )
    contribute(routes, createTestRoute(config, transport))
    contribute(passwordResetDelivery, async (tx, reset) => {
      if (email.isConfigured) await email.send(tx, passwordResetMail(config, reset))
    })
    contribute(takenAddressMail, async (tx, owner) => {
      if (email.isConfigured) await email.send(tx, takenAddressLetter(config, owner))
    })
    contribute(passwordLinkMail, {
      get isConfigured() {
        return email.isConfigured
      },
      send: (tx, link) => email.send(tx, mailOfLink(config, link)),
    })
  },
})
