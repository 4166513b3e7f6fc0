import { definePlugin } from '../../../kernel/index.ts'
import { authService } from '../../accounts/auth/auth.ts'
import { contentService } from '../../entries/content/content.ts'
import { settings } from '../../foundation/config/config.ts'
import { policies, routes } from '../../foundation/http/http.ts'
import { schemasService } from '../../foundation/schemas/schemas.ts'
import { createPreviewCallers, previewPolicy } from './preview-callers.ts'
import { createPreviewTokens } from './preview-tokens.ts'
import { previewRoutes } from './routes.ts'
import { previewOrigins } from './settings.ts'

/** Shows drafts on the pages of a frontend during editing; see docs/preview.md. */
export const previewPlugin = definePlugin({
  name: 'preview',
  description: 'Lets pages of a frontend show the draft of an entry, by tokens of ten minutes',
  uses: { auth: authService, content: contentService, schemas: schemasService },

  register({ contribute }) {
    contribute(settings, previewOrigins)
  },

  init({ services: { auth, content, schemas }, contribute, switchedOn }) {
    const tokens = createPreviewTokens(auth.keyFor('preview'))
    const findCaller = createPreviewCallers(auth, tokens)
    const keepsDrafts = switchedOn.has('drafts')
    contribute(policies, previewPolicy(findCaller))
    for (const route of previewRoutes({ auth, content, schemas, keepsDrafts, tokens, findCaller }))
      contribute(routes, route)
  },
})
