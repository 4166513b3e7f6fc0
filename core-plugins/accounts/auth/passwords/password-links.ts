import type { PluginContext } from '../../../../kernel/index.ts'
import { type Config, panelAddress } from '../../../foundation/config/config.ts'
import type { Transaction } from '../../../foundation/database/database.ts'
import { type PasswordLink, passwordLinkMail } from './password-link-mail.ts'
import type { PasswordReset } from './password-reset-delivery.ts'

/** Delivers links with which admin users set their password on the sign-in page of the panel. */
export interface PasswordLinks {
  /** Whether links can be mailed: mail is configured, and so is the address of the panel. */
  readonly canMail: boolean
  /** Mails the link after the commit; requires `canMail`. */
  mail(purpose: PasswordLink['purpose'], reset: PasswordReset, tx: Transaction): Promise<void>
  /** The link, to be passed on by other means; only a path if the address of the panel is unknown. */
  linkOf(purpose: PasswordLink['purpose'], reset: PasswordReset): string
}

/** Creates the links. Their address comes from the settings, not from the request, whose `Host` the client controls. */
export function createPasswordLinks(
  config: Config,
  { contributions }: Pick<PluginContext, 'contributions'>,
): PasswordLinks {
  const mailers = () => contributions(passwordLinkMail).filter(({ isConfigured }) => isConfigured)
  // In the fragment, which browsers do not send, so that it appears in no log and no `Referer`.
  const linkOf: PasswordLinks['linkOf'] = (purpose, { token }) =>
    `${panelAddress(config)}/admin/sign-in#${purpose}=${encodeURIComponent(token)}`
  return {
    get canMail() {
      return panelAddress(config) !== '' && mailers().length > 0
    },
    async mail(purpose, reset, tx) {
      const { email, username, expiresAt } = reset
      const link = { purpose, email, username, expiresAt, url: linkOf(purpose, reset) }
      for (const mailer of mailers()) await mailer.send(tx, link)
    },
    linkOf,
  }
}
