import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { moduleProject } from '../support/plugin-file.ts'
import { slow } from '../support/scope.ts'
import { startService } from '../support/service.ts'
import { startReceiver } from '../webhooks/receiver.ts'
import { shownFiles } from './shown-files.ts'

const asJson = { headers: { 'content-type': 'application/json' } }

describe('the examples of docs/http.md', slow, () => {
  it('do what it says', slow, async (test) => {
    const files = shownFiles('http.md')
    assert.deepEqual(Object.keys(files), [
      ...['plugins/robots/plugin.ts', 'plugins/rpc/plugin.ts', 'plugins/moved/plugin.ts'],
    ])
    const service = await startService({ files: { ...moduleProject, ...files } })
    test.after(() => service.stop())
    assert.match(await (await fetch(`${service.url}/robots.txt`)).text(), /^User-agent: \*\n/)
    const broken = await fetch(`${service.url}/api/x/rpc/calls`, { method: 'POST', body: '{', ...asJson })
    assert.equal(broken.status, 400)
    assert.equal(((await broken.json()) as { error: { code: number } }).error.code, -32700)
    const moved = await fetch(`${service.url}/team`, { redirect: 'manual' })
    assert.equal(moved.status, 301)
    assert.equal(moved.headers.get('location'), '/about#team')
  })
})

describe('the examples of docs/graphql.md', () => {
  it('do what it says', async (test) => {
    const files = shownFiles('graphql.md')
    assert.deepEqual(Object.keys(files), ['plugins/poll/plugin.ts'])
    const service = await startService({ files: { ...moduleProject, ...files } })
    test.after(() => service.stop())
    const ask = async (query: string) => (await service.admin.post('/api/graphql', { query })).body
    assert.deepEqual((await ask('mutation { vote(vote: { color: "red" }) { votes } }')).data, {
      vote: { votes: 1 },
    })
    assert.deepEqual((await ask('{ pollResults { color votes } }')).data.pollResults, [
      { color: 'red', votes: 1 },
      { color: 'blue', votes: 0 },
    ])
    const unknown = await ask('mutation { vote(vote: { color: "green" }) { votes } }')
    assert.equal(unknown.errors[0].extensions.code, 'NOT_FOUND')
  })
})

describe('the examples of docs/webhooks.md', () => {
  it('do what it says', async (test) => {
    const files = shownFiles('webhooks.md')
    assert.deepEqual(Object.keys(files), ['plugins/shop/plugin.ts'])
    const service = await startService({ files: { ...moduleProject, ...files } })
    test.after(() => service.stop())
    const receiver = await startReceiver()
    test.after(() => receiver.close())
    const webhook = { name: 'orders', url: receiver.url, events: ['shop.order-paid'] }
    assert.equal((await service.admin.post('/api/webhooks', webhook)).status, 201)
    assert.equal((await service.admin.post('/api/x/shop/orders/7/payment')).status, 200)
    assert.deepEqual((await receiver.gets(1))[0]?.body.data, { order: 7 })
  })
})

describe('the examples of docs/search.md', () => {
  it('do what it says', async (test) => {
    const files = shownFiles('search.md')
    assert.deepEqual(Object.keys(files), ['plugins/kana/plugin.ts'])
    const env = { SVC_LOCALIZATION_DEFAULT_LOCALE: 'ja', SVC_LOCALIZATION_LOCALES: '["ja"]' }
    const service = await startService({ env, files: { ...moduleProject, ...files } })
    test.after(() => service.stop())
    const article = { title: '東京にあるタワー', slug: 'a' }
    assert.equal((await service.admin.post('/api/content/article', article)).status, 201)
    const find = async (q: string) =>
      (await service.admin.get(`/api/search?q=${encodeURIComponent(q)}`)).body.data.length
    assert.deepEqual([await find('タワー'), await find('"東京タワー"')], [1, 0])
  })
})
