import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { slow } from '../support/scope.ts'
import { type BackupWorld, fill, startBackupWorld } from './backup-world.ts'
import { entriesIn, reseal } from './reseal.ts'

const mebibyte = 1024 * 1024

describe('a backup that is too much', () => {
  let world: BackupWorld
  let archive: Uint8Array<ArrayBuffer>

  before(async () => {
    world = await startBackupWorld()
    await fill(world)
    archive = await world.download((await world.backUp()).id)
  })
  after(() => world?.stop())

  /** As somebody would change it who knows the format. */
  function withBook(change: (rows: string) => string) {
    const entry = entriesIn(archive).find(({ name }) => /^tables\/\d+-\w*_book\//.test(name))
    assert.ok(entry)
    const rows = change(String(gunzipSync(entry.content)))
    return reseal(archive, {
      contents: { [entry.name]: gzipSync(rows) },
      manifest(manifest) {
        const parts = manifest.tables.flatMap((table: { parts: object[] }) => table.parts)
        parts.find(({ name }: { name: string }) => name === entry.name).bytes = Buffer.byteLength(rows)
      },
    })
  }

  const withTitle = (title: string) => withBook((rows) => rows.replace('"First"', () => `"${title}"`))

  async function isRefused(file: Uint8Array<ArrayBuffer>, message: RegExp): Promise<void> {
    const { status, body } = await world.uploadBackup(file)
    assert.equal(status, 400, JSON.stringify(body))
    assert.match(body.error.message, message)
  }

  async function withSetting<T>(key: string, value: number, work: () => Promise<T>): Promise<T> {
    const set = (to: unknown) => world.admin.put('/api/admin/config', { [key]: to })
    const before = (await world.admin.get('/api/admin/config')).body.data.backups.find(
      (setting: { key: string }) => setting.key === key,
    ).value
    assert.equal((await set(value)).status, 200)
    try {
      return await work()
    } finally {
      await set(before)
    }
  }

  it('is refused with a row of more than backups.maxRowSize, however small it is packed', slow, async () => {
    const bomb = withTitle('x'.repeat(32 * mebibyte))
    assert.ok(bomb.length < mebibyte)
    await isRefused(bomb, /backups.maxRowSize/)
    // Within what a part may have.
    const rest = withTitle('ż'.repeat(8 * mebibyte))
    await isRefused(rest, /backups.maxRowSize/)
  })

  it('is refused when it unpacks to more than backups.maxCompression times its size', async () => {
    const bomb = reseal(archive, {
      manifest(manifest) {
        const table = manifest.tables.find(({ name }: { name: string }) => name.endsWith('_book'))
        const [part] = table.parts
        const parts = Array.from({ length: 20 }, (_, index) => ({
          ...part,
          name: part.name.replace('000000', String(index + 1).padStart(6, '0')),
          bytes: 15 * mebibyte,
        }))
        table.parts = [part, ...parts]
        table.rows += parts.length * part.rows
      },
    })
    await isRefused(bomb, /backups.maxCompression/)
  })

  it('is refused with a text that its column has no room for, before anything is touched', slow, async () => {
    const before = await world.contents()
    const id = await world.take(withTitle('🦉'.repeat(mebibyte)))
    const refused = await world.restore(id)
    assert.equal(refused.status, 409, JSON.stringify(refused.body))
    assert.deepEqual(
      refused.body.error.details.map(({ path, code }: { path: string; code: string }) => [path, code]),
      [['book.title', 'maxLength']],
    )
    const { body } = await world.restore(id, { dryRun: true })
    assert.equal(body.data.success, false)
    assert.equal(body.data.problems[0].path, 'book.title')
    assert.deepEqual(await world.contents(), before)
  })

  it('takes a text of as many characters as its column may have, whatever room they take', slow, async () => {
    const id = await world.take(withTitle('🦉'.repeat(255)))
    assert.equal((await world.restore(id)).status, 200)
  })

  it('is refused with JSON that is nested too deep to be written again', slow, async () => {
    const deep = '['.repeat(50_000) + ']'.repeat(50_000)
    const id = await world.take(withBook((rows) => rows.replace('"b":1', () => `"x":${deep},"b":1`)))
    const { status, body } = await world.restore(id)
    assert.equal(status, 400, JSON.stringify(body))
    assert.match(body.error.message, /book.data that is not of type json/)
  })

  it('is refused with schema files of more than a service would read', slow, async () => {
    const name = 'schemas/huge.json'
    const huge = reseal(archive, {
      contents: { [name]: Buffer.alloc(65 * mebibyte, ' ') },
      added: [name],
      manifest: (manifest) => manifest.schemas.push('huge.json'),
    })
    await isRefused(huge, /schema files that are too large/)
  })

  it('is not made with a row that could not be restored', slow, async () => {
    await world.admin.post('/api/content/book', { title: 'Long', text: 'x'.repeat(100 * 1024) })
    await withSetting('backups.maxRowSize', 64 * 1024, async () => {
      const { status, body } = await world.admin.post('/api/admin/backups', {})
      assert.equal(status, 503)
      assert.match(body.error.message, /backups.maxRowSize/)
    })
    await world.backUp()
  })
})
