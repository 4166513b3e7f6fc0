import { Type } from 'typebox'
import { type AdminPrincipal, AppError, defineRoute, idParams } from '../../foundation/http/http.ts'
import type { DiscussionInbox } from './discussion-inbox.ts'

/** See docs/admin-api.md. */
export const dismissRoute = (inbox: DiscussionInbox) =>
  defineRoute({
    tag: 'Panel',
    access: 'admin-user',
    name: 'admin:inbox.dismiss',
    method: 'DELETE',
    path: '/admin/inbox/mentions/:id',
    summary: 'Take a mention out of the inbox of the caller',
    description: 'The comment stays as it is.',
    audit: false,
    params: idParams,
    response: Type.Null(),
    async handler({ principal, params: { id } }) {
      const isDismissed = await inbox.dismiss((principal as AdminPrincipal).id, id)
      if (!isDismissed) throw AppError.notFound(`mention ${id}`)
      return null
    },
  })
