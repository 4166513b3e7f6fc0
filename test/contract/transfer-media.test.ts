import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { TransferSide } from '../../core-plugins/administration/transfer/transfer.ts'
import { expectStatus } from '../api/auth-callers.ts'
import { image } from '../api/media-support.ts'
import { createClient } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { until } from '../support/until.ts'
import {
  differencesBetween,
  named,
  type Place,
  remoteOf,
  sendPackage,
  startPlace,
  tokenOf,
  transfer,
} from './transfer-world.ts'

eachDatabase(({ name }) => {
  let here: Place
  let there: Place
  let remote: TransferSide
  let png: Uint8Array<ArrayBuffer>
  before(async () => {
    png = await image(900, 20)
    ;[here, there] = await Promise.all([startPlace('sqlite'), startPlace(name)])
    remote = await remoteOf(there)
  })
  after(() => Promise.all([here?.service.stop(), there?.service.stop()]))

  const push = (options = {}, selection = {}) => transfer(here, here.side, remote, options, selection)
  const pull = (options = {}) => transfer(here, remote, here.side, options)
  const hashOf = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')

  const upload = async (place: Place, content: Uint8Array<ArrayBuffer> | string, filename: string) => {
    const part = { name: 'file', content, filename }
    const { body } = expectStatus(await place.service.send('POST', '/api/upload', [part]), 201)
    return body.data as { id: number; url: string }
  }
  const describeFile = async (place: Place, id: number, data: object) =>
    expectStatus(await place.service.admin.put(`/api/media/${id}`, data), 200)
  const folder = async (place: Place, data: object) =>
    expectStatus(await place.service.admin.post('/api/media-folders', data), 201).body.data.id as number
  const files = async (place: Place) => {
    const { body } = await place.service.admin.get(`/api/media?sort=originalName&limit=100`)
    return body.data as {
      id: number
      originalName: string
      alt: string | null
      url: string
      formats: object
      folder: unknown
    }[]
  }
  const bytesOf = async (place: Place, url: string) =>
    new Uint8Array(await (await fetch(new URL(url, place.service.url))).arrayBuffer())
  const coverOf = (entry: Record<string, unknown> | undefined) =>
    entry?.cover as { id: number; originalName: string }
  const folders = async (place: Place) =>
    (await place.service.admin.get('/api/media-folders/tree')).body.data as {
      name: string
      children: { id: number }[]
    }[]

  it('files arrive with their folders, and entries that refer to them are linked', slow, async () => {
    const outer = await folder(here, { name: 'outer' })
    const inner = await folder(here, { name: 'inner', parent: outer })
    const photo = await upload(here, png, 'photo.png')
    await upload(here, 'just text', 'notes.txt')
    await describeFile(here, photo.id, { alt: 'A photo', focalX: 0.25, focalY: 1, folder: inner })
    const author = await here.create('author', { name: 'Ada' })
    await here.create('article', { title: 'With cover', author: author.id, cover: photo.id })

    const { written, result } = await push()
    assert.equal(written.files.length, 2)
    const counts = Object.entries(result.sections).map(([section, { put }]) => [section, put] as const)
    assert.deepEqual(counts.filter(([, put]) => put > 0).sort(), [
      ['content:article', 1],
      ['content:author', 1],
      ['media', 2],
      ['media-folders', 2],
    ])
    const [notes, arrived] = await files(there)
    assert.deepEqual(
      [notes?.originalName, arrived?.originalName, arrived?.alt],
      ['notes.txt', 'photo.png', 'A photo'],
    )
    assert.deepEqual(Object.keys(arrived?.formats ?? {}), ['small', 'medium'])
    assert.deepEqual(hashOf(await bytesOf(there, arrived?.url ?? '')), hashOf(png))
    assert.notEqual(arrived?.url, (await files(here))[1]?.url)
    assert.deepEqual(
      (await folders(there)).map(({ name: each, children }) => [each, children.map(({ id }) => id)]),
      [['outer', [arrived?.folder]]],
    )
    const [article] = await there.list('article', '&populate=cover')
    assert.equal(coverOf(article).id, arrived?.id)
    assert.deepEqual(await differencesBetween(here.side, remote), [])
  })

  it('equal files are not sent again, and replaced ones are', slow, async () => {
    const [notes, photo] = await files(here)
    await describeFile(here, photo?.id ?? 0, { alt: 'Described anew' })
    const described = await push()
    assert.deepEqual([described.written.files, described.result.sections.media?.put], [[], 1])
    const before = await files(there)
    assert.equal(before[1]?.alt, 'Described anew')

    const part = { name: 'file', content: 'other text', filename: 'notes.txt' }
    const path = `/api/media/${notes?.id}/file`
    expectStatus(await here.service.send('PUT', path, [part]), 200)
    const { written } = await push()
    assert.deepEqual(
      written.files.map(({ file }) => [file.name, file.size, file.hash]),
      [['notes.txt', 10, hashOf('other text')]],
    )
    const [changed] = await files(there)
    assert.deepEqual([changed?.id, changed?.url === before[0]?.url], [before[0]?.id, false])
    assert.equal(Buffer.from(await bytesOf(there, changed?.url ?? '')).toString(), 'other text')
    assert.deepEqual(await differencesBetween(here.side, remote), [])
  })

  it(
    'a file that is replaced by a transfer is led to at the address that it had there, and used by texts with that',
    slow,
    async () => {
      const [notes] = await files(there)
      const former = notes?.url ?? ''
      const author = await there.create('author', { name: `See ${former}` })
      const part = { name: 'file', content: 'newest text', filename: 'notes.txt' }
      const [own] = await files(here)
      expectStatus(await here.service.send('PUT', `/api/media/${own?.id}/file`, [part]), 200)
      await push()
      const [present] = await files(there)
      assert.notEqual(present?.url, former)
      await until(async () => {
        const answer = await fetch(new URL(former, there.service.url), { redirect: 'manual' })
        return answer.status === 302 && answer.headers.get('location') === present?.url
      }, 'the former address leads to the new one')
      const { body } = expectStatus(await there.service.admin.get(`/api/media/${present?.id}/usage`), 200)
      assert.deepEqual(
        body.data.map((usage: { id: number; field: string }) => [usage.id, usage.field]),
        [[author.id, 'name']],
      )
      expectStatus(await there.service.admin.delete(`/api/content/author/${author.id}`), 200)
      assert.deepEqual(await differencesBetween(here.side, remote), [])
    },
  )

  it('goes back with conflicts named, and removes what the other side has removed', slow, async () => {
    const [notes] = await files(there)
    const key = await there.service.admin
      .get(`/api/media/${notes?.id}`)
      .then(async () => (await remote.page('media', '')).map(({ key: each }) => each))
    const [own] = await files(here)
    await describeFile(there, notes?.id ?? 0, { caption: 'there' })
    await describeFile(here, own?.id ?? 0, { caption: 'here' })
    const [conflict] = await differencesBetween(here.side, remote)
    assert.match(conflict ?? '', /^conflict media:/)
    assert.ok(key.some((each) => conflict?.endsWith(each)))
    await assert.rejects(push(), { code: 'CONFLICT', message: /1 items were changed on both sides/ })
    await push({ onConflict: 'source' })

    await upload(there, 'made there', 'there.txt')
    await pull()
    assert.deepEqual(
      (await files(here)).map(({ originalName }) => originalName),
      ['notes.txt', 'photo.png', 'there.txt'],
    )
    const [, , made] = await files(here)
    expectStatus(await here.service.admin.delete(`/api/media/${made?.id}`), 200)
    await push()
    assert.equal((await files(there)).length, 3)
    await push({ isDeleting: true })
    assert.equal((await files(there)).length, 2)
    assert.deepEqual(await differencesBetween(here.side, remote), [])
  })

  it(
    'what an entry refers to is named where it is missing, and goes along with its folder',
    slow,
    async () => {
      const deep = await folder(here, { name: 'deep' })
      const photo = await upload(here, 'included', 'included.txt')
      await describeFile(here, photo.id, { folder: deep })
      const author = await here.create('author', { name: 'Included' })
      const article = await here.create('article', {
        title: 'Included',
        author: author.id,
        cover: photo.id,
      })
      const items = [named('content:article', await here.uuidOf('article', article.id))]
      await assert.rejects(push({}, { items }), ({ details }: { details: { path: string }[] }) =>
        details.some(({ path }) => path.startsWith('media:')),
      )
      const { written } = await push({ onMissing: 'include' }, { items })
      assert.deepEqual(
        written.included.map(({ section }) => section),
        ['content:author', 'media', 'media-folders'],
      )
      const [arrived] = await there.list('article', '&filters[title]=Included&populate=cover')
      assert.equal(coverOf(arrived).originalName, 'included.txt')
    },
  )

  describe('rights and hostile files', slow, () => {
    const scopes = ['admin:transfer:read', 'admin:transfer:write']
    const key = randomUUID()
    const value = (hash: string, more = {}) => ({
      file: { name: 'file.txt', hash, size: 4, ...more },
      data: {},
    })
    const line = (more = {}) => ({
      ...{ section: 'media', key, action: 'put', before: null, source: 'x'.repeat(43) },
      ...{ value: value(hashOf('text')), ...more },
    })
    const header = async () => {
      const [{ environment: target }, { environment }] = await Promise.all([
        remote.describe(),
        here.side.describe(),
      ])
      return { format: 1, environment, target, missing: 'refuse' }
    }
    const putFile = (token: string, hash: string, text: string, offset = 0) =>
      createClient(there.service.url, token).put(`/api/admin/transfer/files/${hash}?offset=${offset}`, text)

    it('take the rights to media, also to send and to read files', async () => {
      const [{ key: known = '' } = {}] = await remote.page('media', '')
      const path = `/api/admin/transfer/file?section=media&key=${known}`
      for (const [own, read, wrote] of [
        [scopes, 403, 403],
        [[...scopes, 'media:read'], 200, 403],
        [[...scopes, 'media:read', 'media:write'], 200, 200],
        [['admin:transfer:read', 'media:read', 'media:write'], 200, 403],
      ] as const) {
        const token = await tokenOf(there, own)
        assert.equal((await createClient(there.service.url, token).get(path)).status, read, `${own}`)
        assert.equal((await putFile(token, hashOf('right'), '', 0)).status, wrote, `${own}`)
      }
      const reading = await tokenOf(there, [...scopes, 'media:read'])
      const { applied } = await sendPackage(there, reading, [await header(), line()])
      assert.deepEqual(
        [applied.status, applied.body.error.details[0].message],
        [403, 'takes the right to write media'],
      )
      const { sections } = await (await remoteOf(there, [...scopes, 'media:read'])).describe()
      const refusal = 'takes the right to write media (media:write)'
      assert.deepEqual(
        sections.map((section) => [section.name, section.refusal]),
        [
          ['media-folders', refusal],
          ['media', refusal],
        ],
      )
    })

    it('are refused, and leave nothing behind', async () => {
      const token = await tokenOf(there)
      const head = await header()
      const count = (await files(there)).length
      const page = '<html><script>alert(1)</script></html>'
      for (const text of ['text', page]) assert.equal((await putFile(token, hashOf(text), text)).status, 200)
      const right = value(hashOf('text'))
      const wrong: [number, object, RegExp?][] = [
        [409, line({ value: value(hashOf('never sent')) }), /has not arrived/],
        [400, line({ value: value('../../etc/passwd') })],
        [400, line({ value: value(hashOf('text').toUpperCase()) })],
        [400, line({ value: { data: {} } })],
        [400, line({ value: { ...right, filename: 'x.txt' } })],
        [400, line({ key: '../x' })],
        [400, line({ value: { ...right, data: { filename: 'x.txt' } } })],
        [400, line({ value: { ...right, data: { alt: 7 } } }), /media:.*alt/],
        [415, line({ value: value(hashOf(page), { name: 'page.png' }) }), /media:/],
        [409, line({ value: { ...right, data: { folder: randomUUID() } } }), /refers to media-folders/],
        [400, { ...line(), section: 'media-folders' }],
      ]
      for (const [status, each, message = /./] of wrong) {
        const { applied } = await sendPackage(there, token, [head, each])
        const answer = JSON.stringify(applied.body)
        assert.deepEqual([applied.status, message.test(answer)], [status, true], answer)
      }
      assert.equal((await files(there)).length, count)

      const { applied } = await sendPackage(there, token, [
        head,
        line({ value: value(hashOf('text'), { name: '../../../etc/\u202epasswd.txt' }) }),
      ])
      assert.equal(applied.status, 200, JSON.stringify(applied.body))
      const names = (await files(there)).map(({ originalName }) => originalName)
      assert.ok(names.includes('passwd.txt'), `${names}`)
      const state = createClient(there.service.url, token).get(`/api/admin/transfer/files/${hashOf('text')}`)
      assert.equal((await state).body.data.received, 0)
    })

    it('arrive in parts, and other bytes than the hash says are of no use', async () => {
      const token = await tokenOf(there)
      const hash = hashOf('abcdef')
      assert.equal((await putFile(token, hash, 'abc')).body.data.received, 3)
      const { status, body } = await putFile(token, hash, 'def', 7)
      assert.deepEqual(
        [status, body.error.message],
        [409, '3 bytes of the file are here: go on at that offset'],
      )
      assert.equal((await putFile(token, hash, 'xxx', 3)).body.data.received, 6)
      const head = await header()
      const lines = [head, line({ key: randomUUID(), value: value(hash, { size: 6 }) })]
      assert.equal((await sendPackage(there, token, lines)).applied.status, 409)
      assert.equal((await putFile(token, hash, 'abcdef')).body.data.received, 6)
      assert.equal((await sendPackage(there, token, lines)).applied.status, 200)
    })
  })
})
