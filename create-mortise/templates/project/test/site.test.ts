import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { expectStatus, startTestService, type TestService } from 'mortise/testing'

describe('the site', () => {
  let service: TestService
  before(async () => {
    service = await startTestService({ projectFolder: join(import.meta.dirname, '..') })
  })
  after(() => service.stop())

  it('shows published articles, with their authors, to readers', async () => {
    const author = await service.create('author', { name: 'Ann' })
    await service.create('article', { title: 'First', slug: 'first', author: author.id }, { publish: true })
    await service.create('article', { title: 'Draft', slug: 'draft' })
    const { client } = await service.createToken('content:read')
    const { data } = expectStatus(await client.get('/api/content/article?populate=author'), 200).body
    assert.deepEqual(
      data.map((article: { title: string; author: { name: string } }) => [
        article.title,
        article.author.name,
      ]),
      [['First', 'Ann']],
    )
  })

  it('says hello, and how many articles there are to whoever may read them', async () => {
    const hello = async () => expectStatus(await service.anonymous.get('/api/x/hello'), 200).body.data
    assert.deepEqual(await hello(), { message: 'Hello' })
    await service.permit('public', { content: { article: { read: true } } })
    assert.deepEqual(await hello(), { message: 'Hello', articles: 1 })
  })
})
