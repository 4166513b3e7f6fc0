import { definePlugin } from '../../../kernel/index.ts'
import { authService } from '../../accounts/auth/auth.ts'
import { configService, siteDescription, siteName } from '../../foundation/config/config.ts'
import { httpService, type Principal, routes } from '../../foundation/http/http.ts'
import { schemasService } from '../../foundation/schemas/schemas.ts'
import { docsService } from './docs.ts'
import { createDocs } from './documents.ts'
import { docsRoutes } from './routes.ts'

/** The API document and its viewer; see docs/http.md. */
export const docsPlugin = definePlugin({
  name: 'docs',
  description: 'OpenAPI 3.1 document of every route, and a viewer for it',
  uses: { config: configService, http: httpService, schemas: schemasService },
  usesIfPresent: { auth: authService },
  provides: [docsService],

  init({ services: { auth, config, http, schemas }, provide, contribute }) {
    const types = [...schemas.types.keys()]
    const isAdministrator = (principal: Principal) => auth?.isAdministrator(principal) ?? false
    const docs = createDocs({ http, config, types, isAdministrator })
    for (const setting of [siteName, siteDescription]) config.onChange(setting, docs.forget)
    provide(docsService, docs)
    for (const route of docsRoutes(docs, http)) contribute(routes, route)
  },
})
