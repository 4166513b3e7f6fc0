import type { Auth } from '../../accounts/auth/auth.ts'
import type { Policy, Principal } from '../../foundation/http/http.ts'
import type { Schemas } from '../../foundation/schemas/schemas.ts'

/**
 * A new version is a new entry, and may change the attributes that all versions share. A conflict over a locale reveals drafts,
 * so callers who do not see drafts cannot create versions of entries that may have some.
 */
export function mayLocalize(
  auth: Auth,
  { types }: Schemas,
  { principal, type }: { readonly principal: Principal; readonly type: string },
): boolean {
  const hasDrafts = types.get(type)?.options.draftAndPublish === true
  return (
    auth.mayContent(principal, type, 'create') &&
    auth.mayContent(principal, type, 'update') &&
    (!hasDrafts || auth.seesDrafts(principal, type))
  )
}

export function localizePolicy(auth: Auth, schemas: Schemas): Policy {
  return {
    name: 'content.localize',
    check: ({ principal, params: { type = '' } }) => mayLocalize(auth, schemas, { principal, type }),
  }
}
