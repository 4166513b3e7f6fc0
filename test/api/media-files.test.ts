import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { adapters } from '../support/adapters.ts'
import { type MediaService, startMediaService } from './media-support.ts'

const svg =
  '<?xml version="1.0"?>\n<!-- drawn -->\n<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><script>alert(1)</script></svg>'

for (const adapter of adapters) {
  describe(`bytes of files on ${adapter}`, () => {
    const text = Array.from({ length: 20_000 }, (_, line) => `${line}`).join('\n')
    let service: MediaService
    let url: string
    let etag: string
    before(async () => {
      service = await startMediaService({ adapter })
      url = (await service.add(text, 'lines.txt')).url
      etag = (await service.fetchFile(url)).response.headers.get('etag') ?? ''
    })
    after(() => service.stop())

    const get = async (headers: Record<string, string>, method = 'GET') => {
      const { response, bytes } = await service.fetchFile(url, { headers, method })
      return { status: response.status, headers: response.headers, text: bytes.toString() }
    }

    it('are for everybody, and for good', async () => {
      const answer = await get({})
      assert.equal(answer.status, 200)
      assert.equal(answer.text, text)
      const expected = {
        'content-type': 'text/plain; charset=utf-8',
        'content-length': String(text.length),
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'accept-ranges': 'bytes',
        'content-disposition': 'inline',
      }
      for (const [name, value] of Object.entries(expected))
        assert.equal(answer.headers.get(name), value, name)
      assert.match(etag, /^"[^"]+"$/)
    })

    it('come in parts', async () => {
      for (const [range, start, end] of [
        ['bytes=0-9', 0, 10],
        ['bytes=10-', 10, text.length],
        ['bytes=-10', text.length - 10, text.length],
        ['bytes=-9999999', 0, text.length],
        ['bytes=5-9999999', 5, text.length],
      ] as const) {
        const answer = await get({ range })
        assert.equal(answer.status, 206, range)
        assert.equal(answer.text, text.slice(start, end), range)
        assert.equal(answer.headers.get('content-range'), `bytes ${start}-${end - 1}/${text.length}`)
      }
      for (const range of [`bytes=${text.length}-`, 'bytes=-0']) {
        const answer = await get({ range })
        assert.equal(answer.status, 416, range)
        assert.equal(answer.headers.get('content-range'), `bytes */${text.length}`)
      }
      for (const range of ['bytes=0-1,4-5', 'bytes=9-5', 'bytes=', 'lines=1-2', 'bytes=a-b']) {
        assert.equal((await get({ range })).status, 200, range)
      }
    })

    it('come in parts only of the version that the client has', async () => {
      const range = 'bytes=0-9'
      assert.equal((await get({ range, 'if-range': etag })).status, 206)
      assert.equal((await get({ range, 'if-range': '"other"' })).status, 200)
      assert.equal((await get({ range, 'if-range': `W/${etag}` })).status, 200)
      assert.equal((await get({ range, 'if-range': new Date().toUTCString() })).status, 200)
    })

    it('are not sent again to whoever has them', async () => {
      const answer = await get({ 'if-none-match': `"x", ${etag}`, range: 'bytes=0-1' })
      assert.deepEqual([answer.status, answer.text, answer.headers.get('etag')], [304, '', etag])
      assert.equal((await get({ 'if-none-match': '"x"' })).status, 200)
    })

    it('are described to HEAD, without being sent', async () => {
      const answer = await get({}, 'HEAD')
      assert.deepEqual([answer.status, answer.text], [200, ''])
      assert.equal(answer.headers.get('content-length'), String(text.length))
      const part = await get({ range: 'bytes=0-9' }, 'HEAD')
      assert.deepEqual([part.status, part.headers.get('content-length')], [206, '10'])
    })

    it('are found by the names that the service gives, and by no others', async () => {
      for (const name of [
        '0'.repeat(32),
        `${'0'.repeat(32)}.txt`,
        '..%2f..%2fetc%2fpasswd',
        '%2e%2e%5cservice.ts',
        '.incoming',
        'a%00.txt',
        'CON',
      ]) {
        const status = await rawStatus(`${service.url}/api/uploads/${name}`)
        assert.ok([400, 404].includes(status), `${name}: ${status}`)
      }
    })

    it('of SVGs are shown in a sandbox', async () => {
      const media = await service.add(svg, 'drawing.svg')
      assert.deepEqual(
        [media.mimeType, media.width, media.height, media.formats],
        ['image/svg+xml', 40, 30, {}],
      )
      const { response } = await service.fetchFile(media.url)
      assert.equal(response.headers.get('content-type'), 'image/svg+xml')
      assert.match(response.headers.get('content-security-policy') ?? '', /default-src 'none'.*sandbox$/)
    })

    it('that no browser should show are downloads with the name that they had', async () => {
      const media = await service.add('{"a":1}', "It's ä 100%.json")
      const { response } = await service.fetchFile(media.url)
      assert.equal(
        response.headers.get('content-disposition'),
        `attachment; filename="It's _ 100_.json"; filename*=UTF-8''It%27s%20%C3%A4%20100%25.json`,
      )
    })
  })
}

/** As it is: fetch would tidy the path up. */
function rawStatus(url: string): Promise<number> {
  const { hostname, port } = new URL(url)
  const path = url.slice(url.indexOf('/', 8))
  return new Promise((resolve, reject) => {
    request({ hostname, port, path }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
      .on('error', reject)
      .end()
  })
}
