import type { Policy } from '../../../foundation/http/http.ts'
import type { Auth } from '../auth-service.ts'
import { isSuperAdmin } from './authorization.ts'
import { contentActions, mediaActions } from './permissions.ts'

/** The named checks that routes can require; `content.*` read the parameter `type`. */
export function createPolicies(auth: Auth): Policy[] {
  return [
    { name: 'isAuthenticated', check: ({ principal }) => principal.kind !== 'anonymous' },
    { name: 'isAdmin', check: ({ principal }) => auth.isAdministrator(principal) },
    { name: 'isSuperAdmin', check: ({ principal }) => isSuperAdmin(principal) },
    { name: 'isContentUser', check: ({ principal }) => principal.kind === 'user' },
    ...contentActions.map((action) => ({
      name: `content.${action}`,
      check: ({ principal, params }: Parameters<Policy['check']>[0]) =>
        auth.mayContent(principal, params.type ?? '', action),
    })),
    {
      name: 'content.drafts',
      check: ({ principal, params }) => auth.seesDrafts(principal, params.type ?? ''),
    },
    ...mediaActions.map((action) => ({
      name: `media.${action}`,
      check: ({ principal }: Parameters<Policy['check']>[0]) => auth.mayMedia(principal, action),
    })),
  ]
}
