import { AppError, type Config, type Content, defineRoute, type Policy, Type } from 'mortise/plugin'
import type { Estimates } from './estimates.ts'
import { isForEveryone, wordsPerMinute } from './settings.ts'

/** Open to signed-in callers, and to everyone if the setting says so. */
export const readerPolicy = (config: Config): Policy => ({
  name: 'reading-time.isReader',
  check: ({ principal }) => principal.kind !== 'anonymous' || config.get(isForEveryone),
})

export const readRoute = (services: { config: Config; content: Content; estimates: Estimates }) =>
  defineRoute({
    name: 'reading-time:estimate.read',
    method: 'GET',
    path: '/:type/:id',
    summary: 'Tell how long an entry takes to read',
    access: 'permission',
    scope: 'content:read',
    policies: ['content.read', 'reading-time.isReader'],
    params: Type.Object({ type: Type.String(), id: Type.Integer({ minimum: 1 }) }),
    response: Type.Object({ words: Type.Integer(), minutes: Type.Integer() }),
    async handler({ params: { type, id }, principal }) {
      const { config, content, estimates } = services
      // A draft's reading time is visible only to callers who see the draft.
      const found = await content.find(type, id, 'fields=id', principal)
      const words = found && (await estimates.find(type, id))
      if (words === undefined) throw AppError.notFound(`reading time of ${type} ${id}`)
      return { words, minutes: Math.ceil(words / config.get(wordsPerMinute)) }
    },
  })
