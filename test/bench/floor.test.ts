import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createCleanup } from '../../bench/cleanup.ts'
import { call } from '../../bench/client.ts'
import { articleInput, authorInputs, categoryInputs } from '../../bench/data.ts'
import { fillFloor, startFloor } from '../../bench/floor/floor.ts'
import type { LoadTarget } from '../../bench/load.ts'
import { createFolder } from '../../bench/workspace.ts'
import { adapters } from '../support/adapters.ts'
import { eachDatabase } from '../support/databases.ts'

const stamps = { created_at: '2026-01-02T03:04:05.006Z', updated_at: '2026-01-02T03:04:05.006Z' }
const rows = 60

const withIds = <T extends object>(inputs: readonly T[]) =>
  inputs.map((input, index) => ({ id: index + 1, ...input, ...stamps }))

const articles = Array.from({ length: rows }, (_, index) => articleInput(index + 1))
const data = {
  authors: withIds(authorInputs()),
  categories: withIds(categoryInputs()),
  articles: withIds(articles).map((article) => ({ ...article, published_at: null })),
}

eachDatabase((database) => {
  for (const adapter of adapters)
    describe(`on ${adapter}`, () => {
      const cleanup = createCleanup()
      let target: LoadTarget

      before(async () => {
        const folder = await createFolder(cleanup)
        const { url, drop } = await database.createUrl()
        cleanup.add(drop)
        await fillFloor(database.name, url, data)
        const floor = await startFloor(url, { token: 'secret', folder, withHeaders: true, adapter })
        cleanup.add(floor.stop)
        target = { url: floor.url, token: 'secret' }
      })
      after(() => cleanup.run())

      it('answers an entry with ids', async () => {
        assert.deepEqual(await call(target, '/api/content/article/7'), {
          success: true,
          data: data.articles[6],
        })
      })

      it('sends the headers of the service, if it shall', async () => {
        const read = async () => {
          const answer = await fetch(`${target.url}/api/content/article/7`, {
            headers: { authorization: `Bearer ${target.token}` },
          })
          await answer.arrayBuffer()
          return answer.headers
        }
        const [first, second] = [await read(), await read()]
        assert.match(first.get('etag') ?? '', /^W\/"[0-9a-z]+"$/)
        assert.equal(first.get('etag'), second.get('etag'))
        assert.notEqual(first.get('x-request-id'), second.get('x-request-id'))
        assert.equal(first.get('vary'), 'authorization, accept-encoding')
      })

      it('answers a page, newest first', async () => {
        const answer = await call(target, '/api/content/article?limit=25&offset=25')
        assert.deepEqual(answer.data, data.articles.toReversed().slice(25, 50))
        assert.deepEqual(answer.pagination, { total: rows, limit: 25, offset: 25, hasMore: true })
      })

      it('answers authors and categories as objects', async () => {
        const answer = await call<object[]>(target, '/api/content/article?limit=1&populate=author,categories')
        // All were made at the same moment, so that their ids decide.
        const newest = data.articles[0]
        assert.ok(newest)
        assert.deepEqual(answer.data[0], {
          ...newest,
          author: data.authors[newest.author - 1],
          categories: newest.categories.map((id) => data.categories[id - 1]),
        })
      })

      it('answers what a filter lets through', async () => {
        const path =
          '/api/content/article?limit=100&sort=id:desc&filters[featured][$eq]=true&filters[title][$contains]=a'
        const expected = data.articles.filter(({ featured, title }) => featured && title.includes('a'))
        assert.ok(expected.length > 0)
        assert.deepEqual((await call(target, path)).data, expected.toReversed())
      })

      it('answers lists by time, by title, and of an author or a category', async () => {
        const idsOf = async (query: string) => {
          const { data: found } = await call<{ id: number }[]>(
            target,
            `/api/content/article?limit=100&${query}`,
          )
          return found.map(({ id }) => id)
        }
        const idsWhere = (matches: (article: (typeof data.articles)[number]) => boolean) =>
          data.articles.filter(matches).map(({ id }) => id)
        // All were made at the same moment, so that their ids decide.
        assert.deepEqual(
          await idsOf('sort=created_at:desc'),
          idsWhere(() => true),
        )
        const byTitle = data.articles.toSorted((left, right) => (left.title < right.title ? -1 : 1))
        assert.deepEqual(
          await idsOf('sort=title'),
          byTitle.map(({ id }) => id),
        )
        const [{ author, categories }] = data.articles as [(typeof data.articles)[number]]
        assert.deepEqual(
          await idsOf(`filters[author][name][$eq]=${encodeURIComponent(`Author ${author}`)}`),
          idsWhere((article) => article.author === author),
        )
        assert.deepEqual(
          await idsOf(`filters[categories][slug][$eq]=category-${categories[0]}`),
          idsWhere((article) => article.categories.includes(categories[0] as number)),
        )
      })

      it('creates an article with its categories', async () => {
        const input = articleInput(1, 'made')
        const { data: made } = await call<{ id: number }>(target, '/api/content/article', {
          method: 'POST',
          body: input,
        })
        const { data: read } = await call<object>(target, `/api/content/article/${made.id}`)
        assert.deepEqual(read, made)
        const { created_at, updated_at, ...rest } = read as Record<string, unknown>
        assert.deepEqual(rest, { id: rows + 1, ...input, published_at: null })
      })

      it('refuses another token', async () => {
        const response = await fetch(`${target.url}/api/content/article/1`, {
          headers: { authorization: 'Bearer x' },
        })
        assert.equal(response.status, 401)
      })
    })
})
