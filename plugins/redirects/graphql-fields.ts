import type { GraphqlExtension } from 'mortise/plugin'
import { pathKey } from './paths.ts'
import type { RuleIndex } from './rule-index.ts'

/** `redirectFor`, for sites that render their pages elsewhere. It tells no more than a request for the path would. */
export const redirectFields = (index: RuleIndex): GraphqlExtension => ({
  types: 'type RedirectsTarget { to: String! permanent: Boolean! }',
  queries: {
    redirectFor: {
      type: 'RedirectsTarget',
      arguments: 'path: String!',
      description: 'Where the visitors of a path are sent; null: nowhere else',
      access: 'open',
      resolve({ path }) {
        const rule = index.find(pathKey(String(path)) ?? '')
        return rule === undefined ? null : { to: rule.to, permanent: rule.isPermanent }
      },
    },
  },
})
