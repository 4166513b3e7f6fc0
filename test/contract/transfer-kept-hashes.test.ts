import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import { createKeptHashes } from '../../core-plugins/administration/transfer/sections/kept-hashes.ts'
import type { TransferSide } from '../../core-plugins/administration/transfer/transfer.ts'
import { changeLogService } from '../../core-plugins/entries/changes/changes.ts'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { silentLog } from '../../kernel/index.ts'
import { expectStatus } from '../api/auth-callers.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { type Place, startPlace, transferSideOf, type } from './transfer-world.ts'

const note = type('note', {
  text: { type: 'string' },
  by: { type: 'relation', relation: 'manyToOne', target: 'user' },
})

eachDatabase(({ name }) => {
  let place: Place
  let side: TransferSide
  before(async () => {
    place = await startPlace(name, {}, { 'note.json': note })
    side = transferSideOf(place)
  })
  after(() => place?.service.stop())

  const admin = () => place.service.admin
  const run = async (text: ReturnType<typeof sql>) => {
    const database = place.service.kernel.get(databaseService)
    return database.run(database.prepare(text))
  }
  const names = ['article', 'author', 'home', 'memo', 'note', 'page'].map((each) => `content:${each}`)

  /** What is listed is what is read whole, which is never kept. */
  const expectRight = async (what: string) => {
    for (const section of names) {
      const listed = await side.page(section, '')
      const found = await side.find(
        section,
        listed.map(({ key }) => key),
      )
      const whole = new Map(found.map(({ key, hash }) => [key, hash]))
      for (const { key, hash } of listed)
        assert.equal(hash, whole.get(key), `${section}:${key} after ${what}`)
    }
  }
  const isKept = async (type: string, id: number) => {
    await run(
      sql`update svc_transfer_hashes set hash = 'kept' where type = ${sql.raw(`'${type}'`)} and entry_id = ${sql.raw(`${id}`)}`,
    )
    const uuid = await place.uuidOf(type, id)
    const listed = (await side.page(`content:${type}`, '')).find(({ key }) => key === uuid)
    await run(sql`delete from svc_transfer_hashes where hash = 'kept'`)
    return listed?.hash === 'kept'
  }
  const put = async (path: string, body: object = {}) =>
    expectStatus(await admin().put(`/api/${path}`, body), 200)
  const remove = async (path: string) => expectStatus(await admin().delete(`/api/${path}`), 200)
  const upload = async (filename: string) => {
    const part = { name: 'file', content: filename, filename }
    return expectStatus(await place.service.send('POST', '/api/upload', [part]), 201).body.data.id as number
  }

  describe('kept hashes', () => {
    it('are used for what has not changed', async () => {
      const author = await place.create('author', { name: 'Ada' })
      const other = await place.create('author', { name: 'Bob', mentor: author.id })
      await expectRight('a first look')
      assert.deepEqual([await isKept('author', author.id), await isKept('author', other.id)], [true, true])
      await expectRight('a look')
      await place.update('author', author.id, { name: 'Adele' })
      assert.deepEqual([await isKept('author', author.id), await isKept('author', other.id)], [false, true])
    })

    it('are right after every change of an entry, and of what it refers to', slow, async () => {
      const ada = await place.create('author', { name: 'Ada' })
      const bob = await place.create('author', { name: 'Bob' })
      const cover = await upload('cover.txt')
      const first = await place.create('article', { title: 'First', author: ada.id })
      const second = await place.create('article', {
        ...{ title: 'Second', author: ada.id, related: [first.id], cover },
        seo: { text: 'about', author: bob.id },
      })
      const memo = await place.create('memo', { body: 'memo' })
      await place.publish('memo', memo.id)
      expectStatus(await admin().put('/api/content/home', { title: 'Home', lead: first.id }), 201)
      const page = await place.create('page', { title: 'Hello', layout: 'wide' })
      await place.translate(page.id, { locale: 'de', title: 'Hallo' })
      const [german] = await place.list('page', `&locale=de&filters[title]=Hallo`)
      await expectRight('creating')
      const steps: [string, () => Promise<unknown>][] = [
        ['an update', () => place.update('article', first.id, { title: 'Other' })],
        ['publishing', () => place.publish('article', first.id)],
        ['unpublishing', () => put(`content/article/${first.id}/unpublish`)],
        ['a draft', () => place.update('memo', memo.id, { body: 'draft' })],
        ['discarding a draft', () => remove(`content/memo/${memo.id}/draft`)],
        ['a component', () => place.update('article', second.id, { seo: { text: 'new', author: ada.id } })],
        [
          'another component',
          () => place.update('article', second.id, { seo: { text: 'new', author: bob.id } }),
        ],
        ['moving what is referred to into the trash', () => remove(`content/article/${first.id}`)],
        [
          'bringing it back',
          () =>
            admin()
              .post(`/api/content/article/${first.id}/restore`)
              .then((answer) => expectStatus(answer, 200)),
        ],
        ['deleting what a component refers to', () => remove(`content/author/${bob.id}`)],
        ['deleting a file', () => remove(`media/${cover}`)],
        [
          'a shared attribute of a version',
          () => place.update('page', Number(german?.id), { layout: 'narrow' }),
        ],
        ['deleting the source of a translation', () => remove(`content/page/${page.id}`)],
        [
          'writing of many',
          async () =>
            expectStatus(await admin().post('/api/content/author/bulk-create', [{ name: 'Many' }]), 201),
        ],
        ['a single type', () => put('content/home', { title: 'Other home' })],
      ]
      for (const [what, step] of steps) {
        await step()
        await expectRight(what)
      }
    })

    it('do not keep what the log of changes does not tell', async () => {
      const user = { username: 'reader', email: 'reader@example.com', password: 'a long password for tests' }
      const { id } = expectStatus(await admin().post('/api/admin/content-users', user), 201).body.data
      const made = await place.create('note', { text: 'x', by: id })
      await expectRight('a look')
      assert.equal(await isKept('note', made.id), false)
      await run(sql`update svc_users set username = 'renamed' where username = 'reader'`)
      await expectRight('an account that was renamed by hand')
      const author = await place.create('author', { name: 'By hand' })
      await expectRight('a look')
      await run(
        sql`update content_author set name = 'Other', updated_at = created_at where id = ${sql.raw(`${author.id}`)}`,
      )
      const at = sql.raw(name === 'sqlite' ? `'2020-01-01T00:00:00.000Z'` : `'2020-01-01 00:00:00'`)
      await run(sql`update content_author set updated_at = ${at} where id = ${sql.raw(`${author.id}`)}`)
      await expectRight('a write by hand that sets the time')
    })

    it('are forgotten after a restore', slow, async () => {
      const author = await place.create('author', { name: 'Before' })
      const { id: backup } = expectStatus(await admin().post('/api/admin/backups', {}), 201).body.data
      await place.update('author', author.id, { name: 'After' })
      await expectRight('a look')
      expectStatus(await admin().post(`/api/admin/backups/${backup}/restore`, {}), 200)
      assert.equal((await place.list('author')).at(-1)?.name, 'Before')
      await expectRight('a restore')
    })

    it('are not kept if somebody else has caught up meanwhile: they may be older than that', async () => {
      const { kernel } = place.service
      const deps = {
        database: kernel.get(databaseService),
        changeLog: kernel.get(changeLogService),
        dependents: new Map(),
      }
      const [one, other] = [
        createKeptHashes({ ...deps, log: silentLog }),
        createKeptHashes({ ...deps, log: silentLog }),
      ]
      const type = { name: 'author', form: 'x' }
      const author = await place.create('author', { name: 'Raced' })
      const old = [{ entryId: author.id, hash: 'old', updatedAt: null }]
      const at = await one.catchUp()
      await place.update('author', author.id, { name: 'Changed' })
      const later = await other.catchUp()
      await at.keep(type, old)
      assert.equal((await later.find(type, [author.id])).size, 0)
      await later.keep(type, [{ entryId: author.id, hash: 'new', updatedAt: null }])
      assert.equal((await at.find(type, [author.id])).get(author.id)?.hash, 'new')
      assert.equal((await at.find({ ...type, form: 'y' }, [author.id])).size, 0)
      // The same at the same time, by many.
      await Promise.all(Array.from({ length: 5 }, async () => (await one.catchUp()).keep(type, old)))
      await expectRight('all of that')
    })

    it('begin anew where the log does not go back far enough, or is another one', async () => {
      await expectRight('a look')
      const author = await place.create('author', { name: 'Pruned' })
      await expectRight('a look')
      await place.update('author', author.id, { name: 'Pruned later' })
      await place.create('author', { name: 'Newest' })
      await run(sql`update svc_changes_state set floor = 1000000000`)
      await expectRight('changes that are gone')
      await run(sql`update svc_changes_state set floor = 0`)
      await run(sql`update svc_transfer_hashes_state set position = 1000000000`)
      await place.update('author', author.id, { name: 'Another log' })
      await expectRight('another log')
    })
  })
})
