import { after, before, describe, it } from 'node:test'
import { docsService } from '../../core-plugins/docs/docs.ts'
import { startService, type TestService } from '../support/service.ts'
import { compile, runScript, withFiles } from './generated-code.ts'

const use = `
import createClient from 'openapi-fetch'
import type { paths } from './api.js'

const client = createClient<paths>({ baseUrl: 'http://localhost:2102/api' })

export async function list() {
  const { data, error } = await client.GET('/content/article', {
    params: {
      query: {
        populate: 'author,cover',
        sort: 'created_at:desc',
        limit: 3,
        filters: {
          title: { $containsi: 'x' },
          author: { name: { $startsWith: 'A' }, articles: { featured: true } },
          $or: [{ featured: { $eq: true } }, { published_at: { $notNull: true } }],
        },
      },
    },
  })
  if (error) return error.error.details?.map(({ path, message }) => path + message)
  const [article] = data.data
  if (!article) return data.pagination?.total
  const title: string = article.title
  const publishedAt: string | null = article.published_at
  const author: string | undefined = typeof article.author === 'object' ? article.author?.name : undefined
  const width: number | null | undefined = typeof article.cover === 'object' ? article.cover?.width : undefined
  return [title, publishedAt, author, width]
}

export async function write() {
  const { data } = await client.POST('/content/article', {
    body: { title: 'A', slug: 'a', blocks: [{ __component: 'shared.quote', text: 'x' }] },
  })
  await client.PUT('/content/article/{id}', {
    params: { path: { id: data?.data.id ?? 0 }, header: { 'If-Match': '"1"' } },
    body: { excerpt: null },
  })
}

export const mistakes = [
  // @ts-expect-error there is no such field to filter by
  () => client.GET('/content/article', { params: { query: { filters: { titel: 'x' } } } }),
  // @ts-expect-error a boolean has no substrings
  () => client.GET('/content/article', { params: { query: { filters: { featured: { $contains: 'x' } } } } }),
  // @ts-expect-error the slug is required
  () => client.POST('/content/article', { body: { title: 'A' } }),
]
`

describe('the API document, given to openapi-typescript and openapi-fetch', () => {
  let service: TestService

  before(async () => {
    service = await startService()
  })
  after(() => service?.stop())

  it('makes a client that compiles, and that finds mistakes', async () => {
    const document = JSON.stringify(service.kernel.get(docsService).document())
    await withFiles({ 'openapi.json': document, 'use.ts': use }, async (folder) => {
      await runScript('openapi-typescript/bin/cli.js', ['openapi.json', '-o', 'api.ts'], folder)
      await compile(folder, 'use.ts')
    })
  })
})
