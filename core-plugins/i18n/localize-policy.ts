import type { Auth } from '../auth/auth.ts'
import type { Policy } from '../http/http.ts'
import type { Schemas } from '../schemas/schemas.ts'

/**
 * A new version is a new entry, and may change what all versions share. That a locale is taken tells of drafts, so that
 * those who do not see drafts cannot make versions of entries that may have some.
 */
export function localizePolicy(auth: Auth, { types }: Schemas): Policy {
  return {
    name: 'content.localize',
    check({ principal, params: { type = '' } }) {
      const hasDrafts = types.get(type)?.options.draftAndPublish === true
      return (
        auth.mayContent(principal, type, 'create') &&
        auth.mayContent(principal, type, 'update') &&
        (!hasDrafts || auth.seesDrafts(principal, type))
      )
    },
  }
}
