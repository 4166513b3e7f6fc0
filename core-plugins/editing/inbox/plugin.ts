import { definePlugin } from '../../../kernel/index.ts'
import { authService } from '../../accounts/auth/auth.ts'
import { contentService } from '../../entries/content/content.ts'
import { routes } from '../../foundation/http/http.ts'
import { schemasService } from '../../foundation/schemas/schemas.ts'
import { findWaiting } from './find-waiting.ts'
import { type Inbox, inboxService, inboxSources } from './inbox.ts'
import { inboxRoutes } from './routes.ts'

/** Collects the items that wait for each admin user. */
export const inboxPlugin = definePlugin({
  name: 'inbox',
  description:
    'Tells admin users what waits for them: assignments, mentions, transitions, outdated translations',
  uses: { auth: authService, content: contentService, schemas: schemasService },
  provides: [inboxService],
  points: [inboxSources],

  init({ services, contribute, contributions, provide }) {
    const sources = () => contributions(inboxSources)
    const inbox: Inbox = {
      sections: () => sources().map(({ section }) => section),
      find: (principal) => findWaiting({ ...services, sources }, principal),
    }
    provide(inboxService, inbox)
    for (const route of inboxRoutes(inbox)) contribute(routes, route)
  },
})
