import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TransferSide } from '../../core-plugins/administration/transfer/transfer.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
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
  before(async () => {
    // From SQLite to each database.
    ;[here, there] = await Promise.all([startPlace('sqlite'), startPlace(name)])
    remote = await remoteOf(there)
  })
  after(() => Promise.all([here.service.stop(), there.service.stop()]))

  const push = (options = {}, selection = undefined as never) =>
    transfer(here, here.side, remote, options, selection)
  const pull = (options = {}) => transfer(here, remote, here.side, options)
  const without = (entries: Record<string, unknown>[], ...names: string[]) =>
    entries.map((entry) => {
      const rest = { ...entry }
      for (const each of ['id', 'created_at', 'updated_at', ...names]) delete rest[each]
      return rest
    })

  describe('content', slow, () => {
    it('arrives whole: references, circles, components, locales, drafts and single types', async () => {
      const ada = await here.create('author', { name: 'Ada' })
      const bob = await here.create('author', { name: 'Bob', mentor: ada.id })
      await here.update('author', ada.id, { mentor: bob.id })
      const first = await here.create('article', {
        ...{ title: 'First', slug: 'first', price: '1.50', facts: { b: [1, null], a: 'x' }, author: ada.id },
        seo: { text: 'about', isShown: null, author: bob.id },
      })
      const second = await here.create('article', { title: 'Second', author: bob.id, related: [first.id] })
      await here.update('article', first.id, { related: [second.id, first.id] })
      await here.publish('article', first.id)
      const page = await here.create('page', { title: 'Hello', layout: 'wide' })
      await here.translate(page.id, { locale: 'de', title: 'Hallo' })
      const memo = await here.create('memo', { body: 'public' })
      await here.publish('memo', memo.id)
      await here.update('memo', memo.id, { body: 'draft' })
      await here.service.admin.put('/api/content/home', { title: 'Home', lead: second.id })

      const { result } = await push()
      assert.deepEqual(
        Object.entries(result.sections)
          .filter(([, { put }]) => put > 0)
          .map(([section, { put }]) => [section, put]),
        [
          ['content:article', 2],
          ['content:author', 2],
          ['content:home', 1],
          ['content:memo', 1],
          ['content:page', 2],
        ],
      )
      const query =
        '&sort=title&populate=author,related,seo.author&fields=uuid,title,slug,price,facts,published_at,seo'
      const shown = async (place: Place) =>
        (await place.list('article', query)).map(({ author, related, seo, ...rest }) => ({
          ...{ ...rest, id: 0 },
          author: (author as { name: string }).name,
          related: (related as { title: string }[]).map(({ title }) => title),
          seo: seo && {
            ...(seo as object),
            author: (seo as { author: { name: string } | null }).author?.name,
          },
        }))
      assert.deepEqual(await shown(there), await shown(here))
      const [german] = await there.list('page', '&locale=de')
      assert.deepEqual([german?.title, german?.layout], ['Hallo', 'wide'])
      const { body } = await there.service.admin.get(`/api/content/page/${german?.id}/localizations`)
      assert.equal(body.data.localizations.length, 2)
      assert.deepEqual(without(await there.list('memo')), without(await here.list('memo')))
      assert.deepEqual(
        without(await there.list('memo', '&draft=true')),
        without(await here.list('memo', '&draft=true')),
      )
      assert.deepEqual(await differencesBetween(here.side, remote), [])
      const { written } = await push()
      assert.equal((await remote.apply(written)).sections['content:article'], undefined)
    })

    it('is written through the ordinary path, with revisions, audit and search', async () => {
      const [article] = await there.list('article')
      const { body: revisions } = await there.service.admin.get(
        `/api/content/article/${article?.id}/revisions`,
      )
      assert.ok(revisions.data.length > 0)
      const { body: found } = await there.service.admin.get('/api/search?q=First&types=article')
      assert.equal(found.data.length, 1)
      const { body: audit } = await there.service.admin.get('/api/admin/audit-logs?action=transfer.apply')
      assert.ok(audit.data.length > 0)
    })

    it('goes back, with what was changed, added and removed', async () => {
      const [, bob] = await there.list('author')
      await there.update('author', Number(bob?.id), { name: 'Robert' })
      const eve = await there.create('author', { name: 'Eve' })
      const eveKey = await there.uuidOf('author', eve.id)
      const bobKey = await there.uuidOf('author', Number(bob?.id))
      assert.deepEqual(await differencesBetween(here.side, remote), [
        `ahead content:author:${bobKey}`,
        `removed content:author:${eveKey}`,
      ])
      await push()
      await pull()
      assert.deepEqual(
        (await here.list('author')).map(({ name: each }) => each),
        ['Ada', 'Robert', 'Eve'],
      )
      await here.service.admin.delete(`/api/content/author/${(await here.list('author'))[2]?.id}`)
      assert.deepEqual(await differencesBetween(here.side, remote), [`removed content:author:${eveKey}`])
      await push()
      assert.equal((await there.list('author')).length, 3)
      await push({ isDeleting: true })
      assert.equal((await there.list('author')).length, 2)
      assert.deepEqual(await differencesBetween(here.side, remote), [])
    })
  })

  describe('conflicts', () => {
    it('are named and never overwritten, until somebody decides', slow, async () => {
      const own = await here.create('author', { name: 'Conflict' })
      const key = await here.uuidOf('author', own.id)
      await push()
      const theirs = (await there.list('author')).find(({ name: each }) => each === 'Conflict')
      await here.update('author', own.id, { name: 'Mine' })
      await there.update('author', Number(theirs?.id), { name: 'Theirs' })
      const conflict = [`conflict content:author:${key}`]
      assert.deepEqual(await differencesBetween(here.side, remote), conflict)
      assert.deepEqual(await differencesBetween(remote, here.side), conflict)
      await assert.rejects(push(), ({ code, message, details }) => {
        assert.deepEqual([code, /1 items were changed on both sides/.test(message)], ['CONFLICT', true])
        assert.match(
          details[0].message,
          /: at the source \d{4}-\S+Z by admin, at the target \d{4}-\S+Z by admin$/,
        )
        return true
      })
      const nameThere = async () => (await there.list('author')).at(-1)?.name
      await push({ onConflict: 'skip' })
      assert.deepEqual([await nameThere(), await differencesBetween(here.side, remote)], ['Theirs', conflict])
      await push({ decisions: new Map([[`content:author:${key}`, 'target']]) })
      assert.deepEqual([await nameThere(), await differencesBetween(here.side, remote)], ['Theirs', []])
      await here.update('author', own.id, { name: 'Mine again' })
      await there.update('author', Number(theirs?.id), { name: 'Theirs again' })
      await push({ onConflict: 'source' })
      assert.equal(await nameThere(), 'Mine again')
    })

    it('are what is written while a transfer is under way: nothing is applied then', async () => {
      const own = await here.create('author', { name: 'Slow' })
      await push()
      await here.update('author', own.id, { name: 'Slower' })
      await here.create('author', { name: 'Never there' })
      const late: TransferSide = {
        ...remote,
        async apply(written) {
          await there.update('author', Number((await there.list('author')).at(-1)?.id), { name: 'Quick' })
          return remote.apply(written)
        },
      }
      const count = (await there.list('author')).length
      await assert.rejects(transfer(here, here.side, late), {
        code: 'CONFLICT',
        message: /1 items have changed since/,
      })
      assert.equal((await there.list('author')).length, count)
      await push({ onConflict: 'source' })
      assert.equal((await there.list('author')).length, count + 1)
    })
  })

  describe('what others refer to', () => {
    it('is named where it is missing, and goes along or is left out where that is wanted', async () => {
      const far = await here.create('author', {
        name: 'Far',
        mentor: (await here.create('author', { name: 'Farther' })).id,
      })
      const article = await here.create('article', { title: 'Alone', author: far.id })
      const key = await here.uuidOf('article', article.id)
      const items = [named('content:article', key)]
      const selection = { items }
      const only = (onMissing?: 'include' | 'drop') =>
        transfer(here, here.side, remote, onMissing === undefined ? {} : { onMissing }, selection)
      await assert.rejects(only(), {
        code: 'CONFLICT',
        message: /content:author:.* is referred to, and missing/,
      })
      await assert.rejects(only('drop'), { message: /author/ })
      const { written } = await only('include')
      assert.equal(written.included.length, 2)
      assert.equal((await there.list('article', '&filters[title]=Alone')).length, 1)
    })
  })

  describe('rights', () => {
    const sectionsOf = async (side: TransferSide) =>
      (await side.describe()).sections.map(({ name: section }) => section)
    const transferOnly = ['admin:transfer:read', 'admin:transfer:write']

    it('are those of each type: scopes of transfers open nothing by themselves', async () => {
      const blind = await remoteOf(there, transferOnly)
      assert.deepEqual(await sectionsOf(blind), [])
      await assert.rejects(blind.page('content:author', ''), { code: 'FORBIDDEN' })
      await assert.rejects(blind.page('content:nothing', ''), { code: 'FORBIDDEN' })
      const some = await remoteOf(there, [...transferOnly, 'content:read:author'])
      assert.deepEqual(await sectionsOf(some), ['content:author'])
      const published = await remoteOf(there, [...transferOnly, 'content:read'])
      assert.deepEqual((await sectionsOf(published)).sort(), [
        'content:author',
        'content:home',
        'content:page',
      ])
      const reading = await remoteOf(there, ['admin:transfer:read', 'content:read', 'content:drafts'])
      assert.equal((await sectionsOf(reading)).length, 5)
      const token = await tokenOf(there, ['admin:transfer:read'])
      const { applied, sent } = await sendPackage(there, token, [])
      assert.deepEqual([sent.status, applied.status], [403, 403])
    })

    it('to write are named where they are missing, and nothing is written', async () => {
      const author = await here.create('author', { name: 'Forbidden' })
      const article = await here.create('article', { title: 'Forbidden', author: author.id })
      await here.publish('article', article.id)
      const count = (await there.list('author')).length
      const rights = ['content:read', 'content:drafts']
      const pushBy = async (more: string[]) =>
        transfer(here, here.side, await remoteOf(there, [...transferOnly, ...rights, ...more]))
      await assert.rejects(pushBy([]), {
        code: 'FORBIDDEN',
        message: /your rights do not cover content:article, content:author/,
      })
      await assert.rejects(pushBy(['content:write']), { code: 'FORBIDDEN', message: /content:article/ })
      assert.equal((await there.list('author')).length, count)
      await pushBy(['content:write', 'content:publish'])
      await there.create('author', { name: 'Only there' })
      const removing = transfer(
        here,
        here.side,
        await remoteOf(there, [...transferOnly, ...rights, 'content:write']),
        { isDeleting: true },
      )
      await assert.rejects(removing, { code: 'FORBIDDEN', message: /content:author/ })
      await push({ isDeleting: true })
    })
  })

  describe('hostile packages', () => {
    const key = '0198c0de-0000-7000-8000-000000000001'
    const line = (more = {}) => ({
      ...{ section: 'content:author', key, action: 'put', before: null, source: 'x'.repeat(43) },
      ...{ value: { data: { name: 'Mallory' } }, ...more },
    })

    it('are refused with what is wrong, and write nothing', async () => {
      const [{ environment: target }, { environment }] = await Promise.all([
        remote.describe(),
        here.side.describe(),
      ])
      const token = await tokenOf(there)
      const header = { format: 1, environment, target, missing: 'refuse' }
      const count = (await there.list('author')).length
      const wrong: [number, unknown[], string?][] = [
        [400, []],
        [409, [header], 'a'.repeat(64)],
        [400, ['{']],
        [400, [{ ...header, format: 2 }]],
        [409, [{ ...header, target: key }]],
        [400, [header, '[]']],
        [400, [header, line({ value: {} })]],
        [400, [header, line({ value: { data: [] } })]],
        [400, [header, line({ value: { data: { name: 'x' }, published_at: '2026-99-99T00:00:00.000Z' } })]],
        [400, [header, line({ value: undefined })]],
        [400, [header, line({ action: 'remove' })]],
        [400, [header, line(), line()]],
        [400, [header, line({ key: 'x' })]],
        [400, [header, line({ value: { data: { name: 7 } } })]],
        [400, [header, line({ value: { data: { name: 'x', unknown: 1 } } })]],
        [400, [header, line({ value: { data: { name: 'x', mentor: { deep: 1 } } } })]],
        [409, [header, line({ value: { data: { name: 'x', mentor: key.replace('1', '2') } } })]],
        [409, [header, line({ before: 'y'.repeat(43) })]],
        [404, [header, line({ section: 'content:nothing' })]],
        [
          403,
          [
            header,
            line({ section: 'roles', key: 'super-admin', value: { description: '', permissions: {} } }),
          ],
        ],
        [400, [header, `{"__proto__":{"x":1},${JSON.stringify(line()).slice(1)}`]],
        [400, [header, `{"section":"content:author","value":${'['.repeat(100_000)}${']'.repeat(100_000)}}`]],
      ]
      for (const [status, lines, id] of wrong) {
        const { applied } = await sendPackage(there, token, lines, id)
        const text = JSON.stringify(lines).slice(0, 300)
        assert.equal(
          applied.status,
          lines.length === 0 ? 404 : status,
          `${text}: ${JSON.stringify(applied.body)}`,
        )
      }
      assert.equal((await there.list('author')).length, count)
      const good = [header, line()]
      const once = await sendPackage(there, token, good)
      assert.equal(once.applied.status, 200)
      const again = await sendPackage(there, token, good)
      assert.deepEqual(again.applied.body.data.result, once.applied.body.data.result)
      assert.equal((await there.list('author')).length, count + 1)
    })

    it('arrive in parts, at the offset that is named', async () => {
      const client = there.service.admin
      const path = `/api/admin/transfer/packages/${'b'.repeat(64)}`
      assert.equal((await client.put(`${path}?offset=0`, 'abc')).body.data.received, 3)
      const { status, body } = await client.put(`${path}?offset=7`, 'def')
      assert.deepEqual(
        [status, body.error.message],
        [409, '3 bytes of the package are here: go on at that offset'],
      )
      assert.equal((await client.put(`${path}?offset=3`, 'def')).body.data.received, 6)
      assert.equal((await client.delete(path)).status, 200)
      assert.equal((await client.get(path)).body.data.received, 0)
      assert.equal((await client.get('/api/admin/transfer/packages/..%2f..%2fx')).status, 404)
    })
  })
})
