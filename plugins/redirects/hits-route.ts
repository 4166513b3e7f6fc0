import { defineRoute, type Route, Type } from 'mortise/plugin'
import type { Hits } from './hits.ts'

export const hitsRoute = (hits: Hits): Route =>
  defineRoute({
    name: 'redirects:hits.list',
    method: 'GET',
    path: '/hits',
    summary: 'The redirects that are followed most often',
    access: 'permission',
    scope: 'content:read',
    policies: ['isAdmin'],
    response: Type.Array(
      Type.Object({ ruleId: Type.Integer(), hits: Type.Integer(), lastHitAt: Type.String() }),
    ),
    async handler() {
      await hits.flush()
      return hits.top()
    },
  })
