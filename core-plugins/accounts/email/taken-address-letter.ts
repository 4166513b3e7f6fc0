import { type Config, siteName } from '../../foundation/config/config.ts'
import type { TakenAddress } from '../auth/auth.ts'
import type { EmailMessage } from './email.ts'
import { escapeHtml } from './escape-html.ts'

/** The mail to the owner of an account with whose address a caller tried to register. */
export function takenAddressLetter(config: Config, { email, username }: TakenAddress): EmailMessage {
  const site = config.get(siteName)
  const lines = [
    `Hello ${username},`,
    `somebody, perhaps you, has tried to register at ${site} with this address. You have an account there already: sign in with it, or ask ` +
      'for a new password if you have forgotten yours.',
    'If it was not you, there is nothing to do: nothing has changed.',
  ]
  return {
    to: email,
    subject: `You have an account at ${site}`,
    text: lines.join('\n\n'),
    html: lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n'),
  }
}
