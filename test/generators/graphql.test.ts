import { after, before, describe, it } from 'node:test'
import { codegen } from '@graphql-codegen/core'
import * as operations from '@graphql-codegen/typescript-operations'
import { buildClientSchema, getIntrospectionQuery, parse, printSchema } from 'graphql'
import { ask } from '../graphql/graphql-world.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { compile, withFiles } from './generated-code.ts'

const query = `
  query Teasers($filters: ArticleFiltersInput, $limit: Int) {
    articles(filters: $filters, limit: $limit, sort: "created_at:desc") {
      data { id title author { name } categories { name } cover { url } blocks { __typename } }
      pagination { total hasMore }
    }
  }
  mutation Create($data: ArticleInput!) { createArticle(data: $data) { data { id title author { id } } } }
  mutation Change($id: ID!, $data: ArticleUpdateInput!) { updateArticle(id: $id, data: $data) { data { id } } }
`

const use = `
import type {
  ChangeMutationVariables, CreateMutation, CreateMutationVariables, TeasersQuery, TeasersQueryVariables,
} from './api.js'

export const variables: TeasersQueryVariables = { limit: 3, filters: { title: { containsi: 'x' } } }
export const input: CreateMutationVariables = { data: { title: 'A', slug: 'a' } }
export const readAndWritten = ({ createArticle }: CreateMutation): ChangeMutationVariables | undefined => {
  const { id, author } = createArticle?.data ?? {}
  const own: number | undefined = id
  return own === undefined ? undefined : { id: own, data: { author: author?.id, categories: [own, '7'] } }
}
export const related = (id: number): TeasersQueryVariables => ({ filters: { id: { in: [id] }, author: { id: { eq: id } } } })
export const titles = (answer: TeasersQuery): (string | null | undefined)[] =>
  (answer.articles?.data ?? []).map(({ title, author }) => author?.name ?? title)
`

describe('the GraphQL schema, given to graphql-codegen', slow, () => {
  let service: TestService

  before(async () => {
    service = await startService()
  })
  after(() => service?.stop())

  it('makes types that compile', async () => {
    const schema = printSchema(buildClientSchema(await ask(service.admin, getIntrospectionQuery())))
    const code = await codegen({
      schema: parse(schema),
      documents: [{ document: parse(query) }],
      filename: 'api.ts',
      config: {},
      plugins: [{ operations: {} }],
      pluginMap: { operations },
    })
    await withFiles({ 'api.ts': code, 'use.ts': use }, (folder) => compile(folder, 'use.ts'))
  })
})
