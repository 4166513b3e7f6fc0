import Fastify from 'fastify'
import mercurius from 'mercurius'
import { openSqliteFile } from '../floor/sqlite-data.ts'

// What an expert would write by hand for these three types: mercurius with compiled queries, and one statement per level. Nothing
// is validated except a constant token.

interface ArticleRow {
  readonly id: number
  readonly author_id: number | null
  readonly featured: number
}

interface Row {
  readonly id: number
}

const schema = `
  type Author { id: Int! name: String email: String bio: String created_at: String updated_at: String }
  type Category { id: Int! name: String slug: String created_at: String updated_at: String }
  type Article {
    id: Int! title: String slug: String featured: Boolean rank: Int body: String
    author: Author categories: [Category!]!
    published_at: String created_at: String updated_at: String
  }
  type Pagination { total: Int limit: Int! offset: Int hasMore: Boolean! }
  type ArticlePage { data: [Article!]! pagination: Pagination! }
  type Query { articles(sort: String, limit: Int!, offset: Int!): ArticlePage! }
`

function requireVariable(name: string): string {
  const value = process.env[name]
  if (value === undefined) throw new Error(`the floor needs ${name}; bench/graphql.ts sets it`)
  return value
}

const database = openSqliteFile(requireVariable('DATABASE_URL').slice('sqlite:'.length))
const list = database.prepare<[number, number], ArticleRow>(
  'select * from article order by id desc limit ? offset ?',
)
const count = database.prepare<[], number>('select count(*) from article').pluck()
const authors = database.prepare<[string], Row>(
  'select * from author where id in (select value from json_each(?))',
)
const categories = database.prepare<[string], Row & { source_id: number }>(
  `select source_id, category.* from article_category join category on category.id = target_id
   where source_id in (select value from json_each(?)) order by source_id, position`,
)

const resolvers = {
  Query: {
    articles(_: unknown, { limit, offset }: { limit: number; offset: number }) {
      const data = list.all(limit, offset)
      const total = count.get() ?? 0
      const pagination = { total, limit, offset, hasMore: offset + data.length < total }
      return { data, pagination }
    },
  },
  Article: { featured: ({ featured }: ArticleRow) => featured === 1 },
}

type Queries = readonly { readonly obj: ArticleRow }[]

const loaders = {
  Article: {
    async author(queries: Queries) {
      const ids = queries.map(({ obj }) => obj.author_id)
      const byId = new Map(authors.all(JSON.stringify([...new Set(ids)])).map((row) => [row.id, row]))
      return ids.map((id) => (id === null ? null : (byId.get(id) ?? null)))
    },
    async categories(queries: Queries) {
      const rows = categories.all(JSON.stringify(queries.map(({ obj }) => obj.id)))
      const groups = new Map<number, Row[]>()
      for (const row of rows) groups.set(row.source_id, [...(groups.get(row.source_id) ?? []), row])
      return queries.map(({ obj }) => groups.get(obj.id) ?? [])
    },
  },
}

const server = Fastify()
const authorization = `Bearer ${requireVariable('FLOOR_TOKEN')}`
server.get('/ready', () => ({}))
server.register(mercurius, { schema, resolvers, loaders, jit: 1, path: '/api/graphql' })
server.addHook('onRequest', async (request, reply) => {
  if (request.url !== '/ready' && request.headers.authorization !== authorization)
    await reply.code(401).send({})
})
await server.listen({ host: '127.0.0.1', port: Number(requireVariable('PORT')) })
