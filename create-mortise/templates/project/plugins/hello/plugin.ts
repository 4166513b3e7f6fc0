import { contentService, defineExtension, defineRoute, routes, Type } from 'mortise/plugin'

/** `GET /api/x/hello`: greets, and says how many articles the caller may read. */
export default defineExtension({
  name: 'hello',
  description: 'Says hello',
  version: '1.0.0',
  configSchema: Type.Object({
    greeting: Type.String({ title: 'Greeting', default: 'Hello', maxLength: 100 }),
  }),
  uses: { content: contentService },

  init({ services: { content }, config, contribute }) {
    contribute(
      routes,
      defineRoute({
        name: 'hello:greeting.read',
        method: 'GET',
        path: '/',
        summary: 'Says hello',
        access: 'open',
        response: Type.Object({ message: Type.String(), articles: Type.Integer() }),
        async handler({ principal }) {
          const { pagination } = await content.list('article', 'fields=id&limit=1', principal)
          return { message: config.greeting, articles: pagination.total ?? 0 }
        },
      }),
    )
  },
})
