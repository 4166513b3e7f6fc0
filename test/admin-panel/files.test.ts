import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'

describe('the pages and files of the panel', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service?.stop())

  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(service.url + path, { headers, redirect: 'manual' })
  const scriptOf = async () =>
    /\/admin\/assets\/panel-[A-Z0-9]+\.js/.exec(await (await ask('/admin')).text())?.[0] ?? ''

  it('are at /admin and below, whatever the screen', async () => {
    for (const path of ['/admin', '/admin/sign-in', '/admin/content/article/7']) {
      const page = await ask(path)
      assert.equal(page.status, 200, path)
      assert.equal(page.headers.get('cache-control'), 'no-store')
    }
    const slashed = await ask('/admin/')
    assert.deepEqual([slashed.status, slashed.headers.get('location')], [308, '/admin'])
  })

  it('run nothing but their own scripts, with a nonce that differs each time', async () => {
    const policies = [await ask('/admin'), await ask('/admin')].map(
      ({ headers }) => headers.get('content-security-policy') ?? '',
    )
    for (const policy of policies) {
      assert.match(policy, /default-src 'none'/)
      assert.match(policy, /script-src 'self';/)
      assert.match(policy, /require-trusted-types-for 'script'/)
    }
    assert.notEqual(policies[0], policies[1])
  })

  it('are sent compressed and kept for good', async () => {
    const script = await scriptOf()
    const plain = await ask(script, { 'accept-encoding': 'identity' })
    assert.equal(plain.headers.get('content-encoding'), null)
    const text = await plain.text()
    for (const encoding of ['br', 'gzip']) {
      const answer = await ask(script, { 'accept-encoding': encoding })
      assert.equal(answer.headers.get('content-encoding'), encoding)
      assert.match(answer.headers.get('cache-control') ?? '', /immutable/)
      const etag = answer.headers.get('etag') ?? ''
      assert.equal((await ask(script, { 'accept-encoding': encoding, 'if-none-match': etag })).status, 304)
      assert.equal(await answer.text(), text)
    }
  })

  it('are no others than those of the panel', async () => {
    for (const path of [
      '/admin/assets/none.js',
      '/admin/assets/app.json',
      '/admin/assets/..%2fplugin.ts',
      '/admin//',
    ]) {
      assert.equal((await ask(path)).status, 404, path)
    }
  })
})

describe('a service without the panel', () => {
  it('answers 404', slow, async (test) => {
    const service = await startService({
      files: { 'mortise.config.json': '{"plugins":{"admin-panel":false}}' },
    })
    test.after(() => service.stop())
    assert.equal((await fetch(`${service.url}/admin`)).status, 404)
  })
})
