import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import sharp from 'sharp'
import { mediaService } from '../../core-plugins/delivery/media/media.ts'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { slow } from '../support/scope.ts'
import { until } from '../support/until.ts'
import { type BackupWorld, startBackupWorld } from './backup-world.ts'
import { entriesIn, reseal } from './reseal.ts'

const wrongKeys = ['../victim.txt', '/etc/passwd', 'zz/../../victim.txt', '..', 'a b.txt', 'no-extension', '']

describe('names of media files', () => {
  let world: BackupWorld
  let archive: Uint8Array<ArrayBuffer>
  let filename: string

  before(async () => {
    world = await startBackupWorld()
    const media = await world.add('just a note', 'note.txt')
    filename = media.filename
    archive = await world.download((await world.backUp()).id)
    mkdirSync(join(world.workingDirectory, 'uploads/zz'))
    writeFileSync(victim(), 'keep me')
  })
  after(() => world?.stop())

  const victim = () => join(world.workingDirectory, 'victim.txt')

  /** As somebody would change an archive who wants more deleted than a restore should. */
  function withRecord(from: string, to: string, type: string | null = 'media') {
    const entry = entriesIn(archive).find(({ name }) => name.includes('svc_media/'))
    assert.ok(entry)
    const text = String(gunzipSync(entry.content)).replace(from, to)
    return reseal(archive, {
      contents: { [entry.name]: gzipSync(text) },
      manifest(manifest) {
        const table = manifest.tables.find(({ name }: { name: string }) => name === 'svc_media')
        table.type = type
        table.parts[0].bytes = Buffer.byteLength(text)
      },
    })
  }

  it('are refused in an archive unless a storage may have them', slow, async () => {
    for (const key of wrongKeys) {
      const { status, body } = await world.uploadBackup(withRecord(filename, key))
      assert.equal(status, 400, `${key}: ${JSON.stringify(body)}`)
      assert.match(body.error.message, /not a file name/)
    }
  })

  it('are refused in the thumbnails of an archive', async () => {
    for (const formats of ['{"small":{"url":"/u/..","width":1}}', '{"small":{"width":1}}', '[1]', '7']) {
      const { status, body } = await world.uploadBackup(withRecord('{}', formats))
      assert.equal(status, 400, `${formats}: ${JSON.stringify(body)}`)
    }
  })

  it('cannot be hidden by saying that the table is another one', async () => {
    const id = await world.take(withRecord(filename, 'zz/../../victim.txt', null))
    const { status, body } = await world.restore(id)
    assert.equal(status, 409, JSON.stringify(body))
    assert.equal(body.error.details[0].code, 'otherMeaning')
    assert.equal((await world.admin.get('/api/media')).body.data[0].filename, filename)
  })

  it('do not lead out of the storage from a record that holds them all the same', async () => {
    const { id } = await world.add('another note', 'other.txt')
    const database = world.kernel.get(databaseService)
    const change = sql`update svc_media set filename = 'zz/../../victim.txt' where id = ${sql.raw(String(id))}`
    await database.transaction(async (tx) => tx.run(database.prepare(change)))
    assert.equal((await world.admin.delete(`/api/media/${id}`)).status, 200)
    const jobs = async (status: string) =>
      (await world.admin.get(`/api/admin/jobs?name=media.delete-files&status=${status}`)).body.data
    await until(async () => (await jobs('completed')).length === 1)
    assert.equal(readFileSync(victim(), 'utf8'), 'keep me')
  })

  it('are refused by the storage', async () => {
    const { storage } = world.kernel.get(mediaService)
    const description = { mediaType: 'text/plain', size: 1, disposition: 'inline' } as const
    for (const key of wrongKeys) {
      const refused = { message: /cannot name a file/ }
      await assert.rejects(storage.delete(key), refused)
      await assert.rejects(storage.read(key), refused)
      await assert.rejects(storage.stat(key), refused)
      await assert.rejects(storage.write(key, Readable.from(['x']), description), refused)
      await assert.rejects(storage.adopt(key, victim(), description), refused)
    }
    assert.ok(existsSync(victim()))
  })

  it('do not lead out of the upload folder by a link', async () => {
    const { storage } = world.kernel.get(mediaService)
    const link = join(world.workingDirectory, 'uploads/link.txt')
    symlinkSync(victim(), link)
    assert.equal(await storage.read('link.txt'), undefined)
    assert.equal(await storage.stat('link.txt'), undefined)
    const description = { mediaType: 'text/plain', size: 1, disposition: 'inline' } as const
    await storage.write('link.txt', Readable.from(['x']), description)
    assert.equal(readFileSync(link, 'utf8'), 'x')
    assert.equal(readFileSync(victim(), 'utf8'), 'keep me')
  })

  it('are refused for a file as it was uploaded', slow, async () => {
    const photo = sharp({ create: { width: 9, height: 9, channels: 3, background: '#a33' } })
    const { id, filename: key } = await world.add(
      new Uint8Array(
        await photo
          .jpeg()
          .withExif({ IFD0: { Make: 'Pentacon' } })
          .toBuffer(),
      ),
      'a.jpg',
    )
    archive = await world.download((await world.backUp()).id)
    const kept = entriesIn(archive).find(({ name }) => name.includes(`${key.slice(0, 32)}_original-`))
    assert.ok(kept)
    assert.ok(kept.content.includes('Pentacon'))
    const name = kept.name.slice('media/'.length)
    for (const wrong of wrongKeys.filter((each) => each !== '')) {
      const { status, body } = await world.uploadBackup(withRecord(name, wrong))
      assert.equal(status, 400, `${wrong}: ${JSON.stringify(body)}`)
    }
    const path = join(world.workingDirectory, 'uploads', name)
    await world.admin.delete(`/api/media/${id}`)
    await until(() => !existsSync(path))
    const { body } = await world.uploadBackup(archive)
    await world.restore(body.data.id)
    assert.deepEqual(readFileSync(path), kept.content)
  })
})
