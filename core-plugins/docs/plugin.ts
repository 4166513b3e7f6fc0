import { definePlugin } from '../../kernel/index.ts'
import { configService, siteDescription, siteName } from '../config/config.ts'
import { httpService, routes } from '../http/http.ts'
import { schemasService } from '../schemas/schemas.ts'
import { docsService } from './docs.ts'
import { createDocs } from './documents.ts'
import { docsRoutes } from './routes.ts'

/** The API document and its viewer; see docs/http.md. */
export const docsPlugin = definePlugin({
  name: 'docs',
  description: 'OpenAPI 3.1 document of every route, and a viewer for it',
  uses: { config: configService, http: httpService, schemas: schemasService },
  provides: [docsService],

  init({ services: { config, http, schemas }, provide, contribute }) {
    const docs = createDocs(http, config, [...schemas.types.keys()])
    for (const setting of [siteName, siteDescription]) config.onChange(setting, docs.forget)
    provide(docsService, docs)
    for (const route of docsRoutes(docs, http)) contribute(routes, route)
  },
})
