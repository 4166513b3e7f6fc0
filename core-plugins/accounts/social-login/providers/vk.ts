import type { ProviderKind } from './provider-kind.ts'
import { emailIn, objectIn, subjectIn, textIn } from './read-answer.ts'

/** VK ID, which is OAuth 2.1 with a `device_id`. An account has only an address that was confirmed. */
export const vk: ProviderKind = {
  label: 'VK',
  keyPrefix: 'VK_APP',
  endpoints: {
    authorize: 'https://id.vk.com/authorize',
    token: 'https://id.vk.com/oauth2/auth',
    userinfo: 'https://id.vk.com/oauth2/user_info',
  },
  scope: 'vkid.personal_info email',
  echoed: ['device_id', 'state'],
  async identify({ ask, endpoints, accessToken, clientId }) {
    const form = new URLSearchParams({ client_id: clientId, access_token: accessToken })
    const answer = objectIn(await ask(new URL(endpoints.userinfo), form))
    const { user_id, first_name, last_name, email, email_verified } = objectIn(answer.user)
    const name = [first_name, last_name].flatMap((part) => textIn(part) ?? []).join(' ')
    return {
      subject: subjectIn(user_id),
      verifiedEmail: email_verified === false ? undefined : emailIn(email),
      name: textIn(name),
    }
  },
}
