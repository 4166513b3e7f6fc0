import { createHmac } from 'node:crypto'
import type { ProviderKind } from './provider-kind.ts'
import { emailIn, objectIn, subjectIn, textIn } from './read-answer.ts'

/** Plain OAuth 2. Facebook returns only addresses that their owner has confirmed. */
export const facebook: ProviderKind = {
  label: 'Facebook',
  keyPrefix: 'FACEBOOK_APP',
  endpoints: {
    authorize: 'https://www.facebook.com/v23.0/dialog/oauth',
    token: 'https://graph.facebook.com/v23.0/oauth/access_token',
    userinfo: 'https://graph.facebook.com/v23.0/me',
  },
  scope: 'email public_profile',
  async identify({ ask, endpoints, accessToken, clientSecret }) {
    const url = new URL(endpoints.userinfo)
    url.searchParams.set('fields', 'id,name,email')
    url.searchParams.set('appsecret_proof', appSecretProof(accessToken, clientSecret))
    const { id, name, email, email_verified } = objectIn(await ask(url))
    return {
      subject: subjectIn(id),
      verifiedEmail: email_verified === false ? undefined : emailIn(email),
      name: textIn(name),
    }
  },
}

/** Proves that the token is used by the app to which it was issued; apps can require that. */
function appSecretProof(accessToken: string, secret: string): string {
  return createHmac('sha256', secret).update(accessToken).digest('hex')
}
