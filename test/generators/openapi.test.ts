import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { transform } from 'esbuild'
import { docsService } from '../../core-plugins/delivery/docs/docs.ts'
import { expectStatus, newApiToken } from '../api/auth-callers.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { compile, runFile, runScript, withFiles } from './generated-code.ts'

const use = `
import createClient from 'openapi-fetch'
import { queryString } from './query-string.js'
import type { paths } from './api.js'

declare const settings: { readonly url: string; readonly token: string }
const client = createClient<paths>({
  baseUrl: settings.url + '/api',
  headers: { authorization: 'Bearer ' + settings.token },
  querySerializer: queryString,
})

export async function nested() {
  const { data } = await client.GET('/content/article', {
    params: {
      query: {
        filters: { author: { name: { $startsWith: 'A' } }, $or: [{ title: { $in: ['A', 'x'] } }, { slug: 'x' }] },
        populate: { author: { fields: 'name', populate: { articles: { sort: 'id', limit: 1, total: true } } }, cover: true },
      },
    },
  })
  const [article] = data?.data ?? []
  const author = article && typeof article.author === 'object' ? article.author : undefined
  return [data?.data.length, author?.name, author?._totals]
}

export async function nestedAsText() {
  const filters = JSON.stringify({ author: { name: { $startsWith: 'A' } } })
  const populate = JSON.stringify({ author: { fields: 'name' } })
  const plain = createClient<paths>({ baseUrl: settings.url + '/api', headers: { authorization: 'Bearer ' + settings.token } })
  const { data } = await plain.GET('/content/article', { params: { query: { filters, populate } } })
  return data?.data.map(({ title }) => title)
}

export async function importing() {
  const { data } = await client.POST('/content/author/import', { body: [{ name: 'Ada' }] })
  return data?.data
}

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
  // @ts-expect-error there is no such relation to populate
  () => client.GET('/content/article', { params: { query: { populate: { writer: true } } } }),
  // @ts-expect-error a relation to one has no pages
  () => client.GET('/content/article', { params: { query: { populate: { author: { limit: 1 } } } } }),
  // @ts-expect-error there is no such field to filter by
  () => client.GET('/content/article', { params: { query: { filters: { titel: 'x' } } } }),
  // @ts-expect-error a boolean has no substrings
  () => client.GET('/content/article', { params: { query: { filters: { featured: { $contains: 'x' } } } } }),
  // @ts-expect-error the slug is required
  () => client.POST('/content/article', { body: { title: 'A' } }),
]
`

/** What `mortise-client` exports; as a package, it is tested by itself. */
const serialiser = readFileSync(join(import.meta.dirname, '../../client/query-string.ts'), 'utf8')

describe('the API document, given to openapi-typescript and openapi-fetch', slow, () => {
  let service: TestService

  before(async () => {
    service = await startService()
  })
  after(() => service?.stop())

  it('makes a client that compiles, and that finds mistakes', async () => {
    const document = JSON.stringify(service.kernel.get(docsService).document())
    const files = { 'openapi.json': document, 'use.ts': use, 'query-string.ts': serialiser }
    await withFiles(files, async (folder) => {
      await runScript('openapi-typescript/bin/cli.js', ['openapi.json', '-o', 'api.ts'], folder)
      await compile(folder, 'use.ts')
    })
  })

  it('makes a client that filters, populates and imports', async () => {
    const { token } = await newApiToken(service, ['content:read', 'content:write'])
    const author = await service.admin.post('/api/content/author', { name: 'Ann' })
    for (const [title, of] of [
      ['A', author.body.data.id],
      ['B', author.body.data.id],
      ['C', null],
    ]) {
      const article = { title, slug: title.toLowerCase(), author: of }
      expectStatus(await service.admin.post('/api/content/article', article), 201)
    }
    const settings = `globalThis.settings = ${JSON.stringify({ url: service.url, token })}`
    const calls = '[await nested(), await nestedAsText(), (await importing()).created]'
    const scriptOf = async (source: string) => (await transform(source, { loader: 'ts' })).code
    const program = `${settings}\n${await scriptOf(use)}\nconsole.log(JSON.stringify(${calls}))`
    const files = { 'program.js': program, 'query-string.js': await scriptOf(serialiser) }
    await withFiles(files, async (folder) => {
      const written = await runFile(join(folder, 'program.js'), [], folder)
      assert.deepEqual(JSON.parse(written), [[1, 'Ann', { articles: 2 }], ['A', 'B'], 1])
    })
  })
})
