import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Answer } from '../support/client.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { expectStatus } from './auth-callers.ts'

const schemas = {
  'author.json': {
    kind: 'collectionType',
    info: { singularName: 'author', pluralName: 'authors', displayName: 'Author' },
    attributes: {
      name: { type: 'string' },
      articles: { type: 'relation', relation: 'oneToMany', target: 'article', mappedBy: 'author' },
    },
  },
  'article.json': {
    kind: 'collectionType',
    info: { singularName: 'article', pluralName: 'articles', displayName: 'Article' },
    attributes: {
      body: { type: 'text' },
      author: { type: 'relation', relation: 'manyToOne', target: 'author', inversedBy: 'articles' },
    },
  },
}

/** 16 KB of a URL. */
const costly = Array.from({ length: 330 }, (_, i) => `filters[$or][${i}][articles][body][$containsi]=x`).join(
  '&',
)

describe('the weight of a query', () => {
  let service: TestService

  before(async () => {
    service = await startService({ schemas })
  })

  after(() => service.stop())

  function expectTooHeavy(answer: Answer): void {
    expectStatus(answer, 400)
    assert.match(
      answer.body.error.message,
      /total weight of 6600, and the limit is 1000 \(api\.query\.maxWeight\)/,
    )
    assert.equal(answer.body.error.details[0].code, 'maxWeight')
  }

  it('bounds the filters of a list and of an aggregate', async () => {
    expectTooHeavy(await service.admin.get(`/api/content/author?${costly}`))
    expectTooHeavy(await service.admin.get(`/api/content/author/aggregate?function=count&${costly}`))
  })

  it('bounds those of all fields of a GraphQL operation together', slow, async () => {
    const filters = `{ or: [${'{ articles: { body: { containsi: "x" } } },'.repeat(30)}] }`
    const fields = (count: number) =>
      Array.from({ length: count }, (_, i) => `a${i}: authors(filters: ${filters}) { data { id } }`).join(' ')
    const ask = (count: number) => service.admin.post('/api/graphql', { query: `{ ${fields(count)} }` })
    const one = expectStatus(await ask(1), 200)
    assert.equal(one.body.errors, undefined, JSON.stringify(one.body))
    const two = await ask(2)
    assert.match(JSON.stringify(two.body.errors), /total weight of more than 1000/)
  })

  it('leaves what frontends ask for alone', async () => {
    const search = 'search=three%20plain%20words&searchFields=body&filters[author][name][$containsi]=x'
    expectStatus(await service.admin.get(`/api/content/article?${search}`), 200)
  })
})
