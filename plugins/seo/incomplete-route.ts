import { type Auth, type Content, defineRoute, type Route, type Schemas, Type } from 'mortise/plugin'
import { checkEntry } from './check-route.ts'
import type { SeoConfig } from './config-schema.ts'
import { metaPlacesOf } from './meta-fields.ts'

/** Of each type, so many entries that were changed last are looked at. */
const newest = 20
const mostTypes = 10
const mostEntries = 8

const itemSchema = Type.Object({
  type: Type.String(),
  id: Type.Integer(),
  title: Type.String(),
  problems: Type.Integer({ description: 'How many meta fields are empty or too long' }),
})

interface Services {
  readonly auth: Auth
  readonly content: Content
  readonly schemas: Schemas
}

/** Lists entries among those changed last whose meta fields lack something, as far as the caller may see them. */
export const incompleteRoute = ({ auth, content, schemas }: Services, config: SeoConfig): Route =>
  defineRoute({
    name: 'seo:entries.incomplete',
    method: 'GET',
    path: '/incomplete',
    summary: 'Entries changed lately whose meta fields are empty or too long',
    access: 'admin-user',
    response: Type.Array(itemSchema),
    async handler({ principal }) {
      const types = [...schemas.types.values()]
        .map((type) => ({ type, places: metaPlacesOf(type, schemas) }))
        .filter(({ type, places }) => places.length > 0 && auth.mayContent(principal, type.name, 'read'))
      const found = types.slice(0, mostTypes).map(async ({ type, places }) => {
        const query = new URLSearchParams({ sort: 'id:desc', limit: String(newest) })
        const { entries } = await content.list(type.name, query.toString(), principal)
        return entries.map((entry) => ({
          type: type.name,
          id: entry.id,
          title: titleOf(entry),
          problems: checkEntry(entry, places, config).filter(({ problem }) => problem !== null).length,
        }))
      })
      const all = (await Promise.all(found)).flat().filter(({ problems }) => problems > 0)
      return all.sort((left, right) => right.problems - left.problems).slice(0, mostEntries)
    },
  })

function titleOf(entry: Readonly<Record<string, unknown>>): string {
  const named = [entry.title, entry.name, entry.label].find(
    (value) => typeof value === 'string' && value !== '',
  )
  return typeof named === 'string' ? named : String(entry.id)
}
