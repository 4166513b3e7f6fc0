import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { mediaService } from '../../core-plugins/delivery/media/media.ts'
import { expectStatus } from '../api/auth-callers.ts'
import { image, type MediaService, startMediaService } from '../api/media-support.ts'
import { slow } from '../support/scope.ts'
import { until } from '../support/until.ts'
import { type S3Store, startS3Store } from './s3-store.ts'

const bucket = 'media'

describe('storage in a bucket', () => {
  let store: S3Store
  let env: Record<string, string>
  let service: MediaService

  before(async () => {
    store = await startS3Store(bucket)
    env = { ...store.env(bucket), STORAGE_TYPE: 's3', STORAGE_S3_PREFIX: 'site/' }
    service = await startMediaService({ env })
  })
  after(async () => {
    await service.stop()
    await store.close()
  })

  const keys = () => store.keys(bucket, 'site')

  it('holds files and thumbnails until they are deleted', slow, async () => {
    const picture = await image(600, 400)
    const media = await service.add(picture, 'a.png')
    const written = Object.values<{ url: string }>(media.formats).map(({ url }) => url.split('/').at(-1))
    assert.deepEqual(keys().sort(), [media.filename, ...written].sort())
    const { response, bytes } = await service.fetchFile(media.url)
    assert.equal(response.headers.get('content-type'), 'image/png')
    assert.deepEqual(new Uint8Array(bytes), picture)
    expectStatus(await service.admin.delete(`/api/media/${media.id}`), 200)
    await until(() => keys().length === 0)
    assert.equal((await service.fetchFile(media.url)).response.status, 404)
  })

  it('serves parts, and the head alone', async () => {
    const { url } = await service.add('0123456789', 'a.txt')
    const part = await service.fetchFile(url, { headers: { range: 'bytes=2-4' } })
    assert.deepEqual([part.response.status, part.bytes.toString()], [206, '234'])
    assert.equal(part.response.headers.get('content-range'), 'bytes 2-4/10')
    const head = await service.fetchFile(url, { method: 'HEAD' })
    assert.equal(head.response.headers.get('content-length'), '10')
    assert.equal((await service.fetchFile(url, { headers: { range: 'bytes=10-' } })).response.status, 416)
  })

  it('holds images at other sizes until their file is deleted', async () => {
    const media = await service.add(await image(600, 400), 'sizes.png')
    const url = `${media.url}/w128.webp`
    const { response, bytes } = await service.fetchFile(url)
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'image/webp'])
    const key = `variants/${media.filename}/w128.webp`
    assert.ok(keys().includes(key))
    const part = await service.fetchFile(url, { headers: { range: 'bytes=2-4' } })
    assert.deepEqual([part.response.status, part.bytes], [206, bytes.subarray(2, 5)])
    expectStatus(await service.admin.delete(`/api/media/${media.id}`), 200)
    await until(() => !keys().includes(key))
  })

  it('is asked for nothing that is no name of a file', async () => {
    const { storage } = service.kernel.get(mediaService)
    for (const key of [
      '../a.txt',
      'a/b.txt',
      '',
      '..',
      'variants/../a.txt',
      'variants/a.txt',
      'variants/a.txt/b/c.txt',
    ]) {
      await assert.rejects(storage.stat(key), /cannot name a file/)
      await assert.rejects(storage.delete(key), /cannot name a file/)
    }
  })

  it('takes files of several parts', slow, async () => {
    const content = randomBytes(20 * 1024 * 1024).toString('hex')
    const media = await service.add(content, 'large.txt')
    const { bytes } = await service.fetchFile(media.url)
    assert.ok(bytes.equals(Buffer.from(content)))
  })

  it('tells which files are there', async () => {
    const { storage } = service.kernel.get(mediaService)
    assert.equal(await storage.stat('nothing.txt'), undefined)
    assert.equal(await storage.read('nothing.txt'), undefined)
    await storage.delete('nothing.txt')
  })

  it('sends clients to the bucket where everybody may read it', slow, async (test) => {
    const own = await startMediaService({
      env: { ...env, STORAGE_S3_PUBLIC_URL: 'https://cdn.example.com/' },
    })
    test.after(() => own.stop())
    const { url, filename } = await own.add('text', 'a.txt')
    const response = await fetch(own.url + url, { redirect: 'manual' })
    assert.equal(response.status, 302)
    assert.equal(response.headers.get('location'), `https://cdn.example.com/site/${filename}`)
    const photo = await own.add(await image(300, 200), 'b.png')
    const made = await fetch(`${own.url}${photo.url}/w64.webp`, { redirect: 'manual' })
    const place = `site/variants/${photo.filename}/w64.webp`
    assert.deepEqual([made.status, made.headers.get('location')], [302, `https://cdn.example.com/${place}`])
    assert.ok(keys().includes(`variants/${photo.filename}/w64.webp`))
  })

  for (const [where, more] of Object.entries({
    'as this service serves files': {},
    'as everybody reads the bucket': { STORAGE_S3_PUBLIC_URL: 'https://cdn.example.com/' },
  })) {
    it(`leads from the addresses of a replaced file to the new one, ${where}`, slow, async (test) => {
      const own = await startMediaService({ env: { ...env, ...more } })
      test.after(() => own.stop())
      const first = await own.add(await image(600, 400), 'a.png')
      const variant = `${first.url}/w64.webp`
      assert.ok([200, 302].includes((await fetch(own.url + variant, { redirect: 'manual' })).status))
      const part = { name: 'file', content: await image(50, 40), filename: 'b.png' }
      const second = expectStatus(await own.send('PUT', `/api/media/${first.id}/file`, [part]), 200).body.data
      await until(
        () => !keys().some((key) => key.includes(first.filename)),
        'nothing is left of the former file',
      )
      const leadsTo = async (from: string) => {
        const answer = await fetch(own.url + from, { redirect: 'manual' })
        return [answer.status, answer.headers.get('location')]
      }
      for (const from of [first.url, first.formats.small.url]) {
        assert.deepEqual(await leadsTo(from), [302, second.url])
      }
      assert.deepEqual(await leadsTo(variant), [302, `${second.url}/w64.webp`])
      assert.ok(keys().includes(second.filename))
      expectStatus(await own.admin.delete(`/api/media/${first.id}`), 200)
      await until(() => !keys().includes(second.filename))
    })
  }

  it('is looked for at the start', slow, async () => {
    const starting = (change: Record<string, string>) => startMediaService({ env: { ...env, ...change } })
    await assert.rejects(
      starting({ STORAGE_S3_BUCKET: 'none' }),
      /STORAGE_S3_BUCKET: is none, which cannot be used: .*404.* → look at STORAGE_S3_BUCKET, or make the bucket$/,
    )
    await assert.rejects(
      starting({ STORAGE_S3_ACCESS_KEY_ID: 'nobody' }),
      /InvalidAccessKeyId.* → look at STORAGE_S3_ACCESS_KEY_ID and STORAGE_S3_SECRET_ACCESS_KEY$/,
    )
    await assert.rejects(starting({ STORAGE_S3_BUCKET: '' }), /STORAGE_S3_BUCKET: is missing/)
    await assert.rejects(starting({ STORAGE_TYPE: 'tape' }), /STORAGE_TYPE: is tape.*local, s3/)
  })
})
