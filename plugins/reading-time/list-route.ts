import { type Config, type Content, defineRoute, Type } from 'mortise/plugin'
import type { Estimates } from './estimates.ts'
import { wordsPerMinute } from './settings.ts'

/** More rows than that are not in view at once. */
const mostIds = 200

/** Reading times of many entries, for the column of lists; entries that the caller does not see are left out. */
export const listRoute = (services: { config: Config; content: Content; estimates: Estimates }) =>
  defineRoute({
    name: 'reading-time:estimate.list',
    method: 'GET',
    path: '/:type',
    summary: 'Tell how long entries take to read',
    access: 'permission',
    scope: 'content:read',
    policies: ['content.read', 'reading-time.isReader'],
    params: Type.Object({ type: Type.String() }),
    query: Type.Object({ ids: Type.String({ pattern: `^[0-9]+(,[0-9]+){0,${mostIds - 1}}$` }) }),
    response: Type.Record(Type.String(), Type.Object({ words: Type.Integer(), minutes: Type.Integer() })),
    async handler({ params: { type }, query, principal }) {
      const { config, content, estimates } = services
      const asked = query.ids.split(',').slice(0, mostIds)
      const request = new URLSearchParams({ fields: 'id', limit: String(asked.length) })
      for (const id of asked) request.append('filters[id][$in][]', id)
      const { entries } = await content.list(type, request.toString(), principal)
      const found = await estimates.findAll(
        type,
        entries.map(({ id }) => id),
      )
      const perMinute = config.get(wordsPerMinute)
      return Object.fromEntries(
        [...found].map(([id, words]) => [id, { words, minutes: Math.ceil(words / perMinute) }]),
      )
    },
  })
