import type { ProviderKind } from './provider-kind.ts'
import { emailIn, objectIn, subjectIn, textIn, UnexpectedAnswer } from './read-answer.ts'

/** Plain OAuth 2. The address in the profile is the public one; the list says which ones are verified. */
export const github: ProviderKind = {
  label: 'GitHub',
  keyPrefix: 'GITHUB_CLIENT',
  endpoints: {
    authorize: 'https://github.com/login/oauth/authorize',
    token: 'https://github.com/login/oauth/access_token',
    userinfo: 'https://api.github.com/user',
    emails: '',
  },
  scope: 'read:user user:email',
  async identify({ ask, endpoints }) {
    const { userinfo } = endpoints
    const emails = endpoints.emails || `${userinfo.replace(/\/+$/, '')}/emails`
    const [user, list] = await Promise.all([ask(new URL(userinfo)), ask(new URL(emails))])
    const { id, login, name } = objectIn(user)
    return {
      subject: subjectIn(id),
      verifiedEmail: primaryEmail(list),
      name: textIn(login) ?? textIn(name),
    }
  },
}

function primaryEmail(list: unknown): string | undefined {
  if (!Array.isArray(list)) throw new UnexpectedAnswer('the list of addresses is not a list')
  const verified = list.map(objectIn).filter((entry) => entry.verified === true)
  return emailIn((verified.find((entry) => entry.primary === true) ?? verified[0])?.email)
}
