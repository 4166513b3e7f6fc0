import type { Grant, ProviderKind } from './provider-kind.ts'
import { emailIn, objectIn, subjectIn, textIn } from './read-answer.ts'

/** OpenID Connect: the ID token contains everything that is needed. */
export const google: ProviderKind = {
  label: 'Google',
  keyPrefix: 'GOOGLE_CLIENT',
  endpoints: {
    authorize: 'https://accounts.google.com/o/oauth2/v2/auth',
    token: 'https://oauth2.googleapis.com/token',
    userinfo: 'https://openidconnect.googleapis.com/v1/userinfo',
    jwks: 'https://www.googleapis.com/oauth2/v3/certs',
    issuer: 'https://accounts.google.com',
  },
  scope: 'openid email profile',
  async identify(grant) {
    const { sub, email, email_verified, name } = grant.claims ?? (await userOf(grant))
    const isVerified = email_verified === true || email_verified === 'true'
    return {
      subject: subjectIn(sub),
      verifiedEmail: isVerified ? emailIn(email) : undefined,
      name: textIn(name),
    }
  },
}

async function userOf({ ask, endpoints }: Grant) {
  return objectIn(await ask(new URL(endpoints.userinfo)))
}
