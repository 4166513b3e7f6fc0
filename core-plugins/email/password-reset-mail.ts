import type { PasswordReset } from '../auth/auth.ts'
import { type Config, siteName, siteUrl } from '../config/config.ts'
import type { EmailMessage } from './email.ts'
import { passwordResetUrl, tokenMark } from './settings.ts'

/** The mail with which a user sets a new password. */
export function passwordResetMail(config: Config, reset: PasswordReset): EmailMessage {
  const { email: to, username, token, expiresAt } = reset
  const site = config.get(siteName)
  const link = linkOf(config, token)
  const [before, value] =
    link === undefined ? ['Your code for a new password is:', token] : ['Set a new one here:', link]
  const text = [
    `Hello ${username},`,
    `somebody, probably you, has asked for a new password at ${site}. ${before}`,
    value,
    'It works once, within an hour. If it was not you, there is nothing to do: your password stays as it is.',
  ]
  const shown =
    link === undefined ? `<code>${escaped(token)}</code>` : `<a href="${escaped(link)}">${escaped(link)}</a>`
  const html = text.map((line) => `<p>${line === value ? shown : escaped(line)}</p>`).join('\n')
  return { to, subject: `A new password for ${site}`, text: text.join('\n\n'), html, expiresAt }
}

function linkOf(config: Config, token: string): string | undefined {
  const page = config.get(passwordResetUrl)
  if (page !== '') return page.replaceAll(tokenMark, encodeURIComponent(token))
  const site = config.get(siteUrl)
  if (site === '') return undefined
  return `${site.replace(/\/+$/, '')}/reset-password?token=${encodeURIComponent(token)}`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}
