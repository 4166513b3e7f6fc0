import { authService, contentService, defineExtension, defineRoute, routes, Type } from 'mortise/plugin'

/** `GET /api/x/hello`: greets, and says how many articles there are to callers who may read articles. */
export default defineExtension({
  name: 'hello',
  description: 'Says hello',
  version: '1.0.0',
  configSchema: Type.Object({
    greeting: Type.String({ title: 'Greeting', default: 'Hello', maxLength: 100 }),
  }),
  uses: { auth: authService, content: contentService },

  init({ services: { auth, content }, config, contribute }) {
    contribute(
      routes,
      defineRoute({
        name: 'hello:greeting.read',
        method: 'GET',
        path: '/',
        summary: 'Says hello',
        access: 'open',
        response: Type.Object({ message: Type.String(), articles: Type.Optional(Type.Integer()) }),
        async handler({ principal }) {
          const message = config.greeting
          // `content.list` refuses whoever may not read articles; they are greeted all the same.
          if (!auth.mayContent(principal, 'article', 'read')) return { message }
          const { pagination } = await content.list('article', 'fields=id&limit=1', principal)
          return { message, articles: pagination.total ?? 0 }
        },
      }),
    )
  },
})
