import { type Config, siteName } from '../../foundation/config/config.ts'
import type { PasswordLink } from '../auth/auth.ts'
import type { EmailMessage } from './email.ts'
import { mailOf } from './letter.ts'

/** The mail with a link for an admin user to set a first or new password. */
export function mailOfLink(config: Config, link: PasswordLink): EmailMessage {
  const { purpose, email: to, username, url: value, expiresAt } = link
  const site = config.get(siteName)
  const greeting = `Hello ${username},`
  if (purpose === 'invitation') {
    return mailOf({
      ...{ to, value, expiresAt },
      subject: `Your invitation to ${site}`,
      before: [greeting, `you are invited to work on ${site}. Choose your password here:`],
      after: [
        'The link works once, within seven days. After that, ask whoever has invited you for another one.',
        'If you do not know what this is about, there is nothing to do.',
      ],
    })
  }
  return mailOf({
    ...{ to, value, expiresAt },
    subject: `A new password for ${site}`,
    before: [
      greeting,
      `somebody, probably you, has asked for a new password for the admin panel of ${site}. Set it here:`,
    ],
    after: [
      'The link works once, within an hour, and signs you out everywhere. If it was not you, there is nothing to ' +
        'do: your password stays as it is.',
    ],
  })
}
