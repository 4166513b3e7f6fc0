import { type Config, siteAddress, siteName } from '../../foundation/config/config.ts'
import type { PasswordReset } from '../auth/auth.ts'
import type { EmailMessage } from './email.ts'
import { mailOf } from './letter.ts'
import { passwordResetUrl, tokenMark } from './settings.ts'

/** The mail with a link or a code with which a content user sets a new password. */
export function passwordResetMail(config: Config, reset: PasswordReset): EmailMessage {
  const { email: to, username, token, expiresAt } = reset
  const site = config.get(siteName)
  const link = linkOf(config, token)
  const introduction = link === undefined ? 'Your code for a new password is:' : 'Set a new one here:'
  return mailOf({
    ...{ to, expiresAt },
    subject: `A new password for ${site}`,
    before: [
      `Hello ${username},`,
      `somebody, probably you, has asked for a new password at ${site}. ${introduction}`,
    ],
    value: link ?? token,
    after: [
      'It works once, within an hour. If it was not you, there is nothing to do: your password stays as it is.',
    ],
  })
}

function linkOf(config: Config, token: string): string | undefined {
  const page = config.get(passwordResetUrl)
  if (page !== '') return page.replaceAll(tokenMark, encodeURIComponent(token))
  const site = siteAddress(config)
  return site === '' ? undefined : `${site}/reset-password?token=${encodeURIComponent(token)}`
}
