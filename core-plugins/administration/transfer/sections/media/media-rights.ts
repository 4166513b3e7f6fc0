import type { Auth } from '../../../../accounts/auth/auth.ts'
import type { TransferSection } from '../../../../foundation/sections/sections.ts'

type Rights = Pick<TransferSection, 'readingTakes' | 'mayRead' | 'refusal' | 'missingRights'>

/** The rights for files, which are the same for folders. */
export function mediaRights(auth: Auth): Rights {
  return {
    readingTakes: 'to read media',
    mayRead: (principal) => auth.mayMedia(principal, 'read'),
    refusal: (principal) =>
      auth.mayMedia(principal, 'write') ? undefined : 'takes the right to write media (media:write)',
    *missingRights(principal, { action }) {
      const right = action === 'put' ? 'write' : 'delete'
      if (!auth.mayMedia(principal, right)) yield `the right to ${right} media`
    },
  }
}
