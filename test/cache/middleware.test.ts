import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  contentReadMiddleware,
  defineReadMiddleware,
  type Entry,
} from '../../core-plugins/entries/content/content.ts'
import { definePlugin } from '../../kernel/index.ts'
import { expectStatus } from '../api/auth-callers.ts'
import { startService, type TestService } from '../support/service.ts'
import { fromMemory, openToReaders, schemas, statusOf } from './world.ts'

let shown = 0

/** Tags are shown with a number that nobody can predict, and authors by the role of who asks. */
const plugin = definePlugin({
  name: 'labels',
  description: 'Shows tags and authors in its own way',
  register({ contribute }) {
    const changing = (types: string, change: (entry: Entry, role: string) => void, isPredictable?: true) =>
      defineReadMiddleware({
        name: `labels: ${types}`,
        types,
        ...(isPredictable && { isPredictable }),
        async run({ principal }, next) {
          const found = await next()
          const entries = found === undefined ? [] : 'entries' in found ? found.entries : [found.entry]
          for (const entry of entries) change(entry, principal.kind)
          return found
        },
      })
    contribute(
      contentReadMiddleware,
      changing('tag', (tag) => Object.assign(tag, { label: `number ${++shown}` })),
    )
    contribute(
      contentReadMiddleware,
      changing('author', (author, role) => Object.assign(author, { bio: `for ${role}` }), true),
    )
  },
})

let service: TestService

describe('middleware before the cache', () => {
  before(async () => {
    const env = { SVC_LOCALIZATION_LOCALES: '["en","de"]' }
    service = await startService({ schemas, env, plugins: [plugin] })
    await openToReaders(service.admin)
    const { admin } = service
    const create = async (type: string, data: object): Promise<number> =>
      expectStatus(await admin.post(`/api/content/${type}`, data), 201).body.data.id
    const tag = await create('tag', { label: 'stored' })
    expectStatus(await admin.put(`/api/content/tag/${tag}/publish`), 200)
    const author = await create('author', { name: 'one', bio: 'stored' })
    const article = await create('article', { title: 'one', body: '', tags: [tag], author })
    expectStatus(await admin.put(`/api/content/article/${article}/publish`), 200)
  })
  after(() => service.stop())

  it('what middleware answers that does not say that it is predictable is made anew each time', async () => {
    for (const path of [
      '/api/content/tag',
      '/api/content/tag/1',
      '/api/content/article?populate=tags',
      '/api/content/article/1?populate=tags',
      '/api/graphql?query={tags{data{label}}}',
      '/api/graphql?query={article(id:1){data{tags{label}}}}',
    ]) {
      const bodies = new Set<string>()
      for (let times = 0; times < 5; times++) {
        const answer = await service.get(path)
        expectStatus(answer, 200)
        assert.notEqual(statusOf(answer), 'hit', path)
        bodies.add(JSON.stringify(answer.body))
      }
      assert.equal(bodies.size, 5, path)
    }
    // Where it has no part, answers are kept.
    await fromMemory(service, '/api/content/article?fields=title')
  })

  it('what predictable middleware answers is kept for those with the same rights', async () => {
    for (const path of [
      '/api/content/author',
      '/api/content/author/1',
      '/api/content/article?populate=author',
    ]) {
      for (const [client, kind] of [
        [service, 'anonymous'],
        [service.admin, 'admin'],
      ] as const) {
        const { body } = await fromMemory(client, path)
        const text = JSON.stringify(body)
        assert.ok(text.includes(`for ${kind}`) && text.split('"for ').length === 2, `${path}: ${text}`)
      }
    }
  })
})
