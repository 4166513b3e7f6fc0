import { definePlugin } from '../../kernel/index.ts'
import { httpService, routes } from '../http/http.ts'
import { docsService } from './docs.ts'
import { describeApi, type OpenApiDocument } from './openapi.ts'
import { docsRoutes } from './routes.ts'

/** The API document and its viewer; decisions.md, 10. */
export const docsPlugin = definePlugin({
  name: 'docs',
  description: 'OpenAPI 3.1 document of every route, and a viewer for it',
  uses: { http: httpService },
  provides: [docsService],

  init({ services, provide, contribute }) {
    let document: OpenApiDocument | undefined
    const docs = {
      document() {
        document ??= describeApi(services.http)
        return document
      },
    }
    provide(docsService, docs)
    for (const route of docsRoutes(docs, services.http)) contribute(routes, route)
  },
})
