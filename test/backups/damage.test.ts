import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { extract } from 'tar-stream'
import { slow } from '../support/scope.ts'
import { type BackupWorld, fill, startBackupWorld } from './backup-world.ts'
import { archiveOf, entriesIn, reseal } from './reseal.ts'

type Bytes = Uint8Array<ArrayBuffer>

describe('a backup that is damaged', () => {
  let world: BackupWorld
  let archive: Bytes

  before(async () => {
    world = await startBackupWorld()
    await fill(world)
    const { id } = await world.backUp()
    archive = await world.download(id)
  })
  after(() => world?.stop())

  async function isRefused(file: Bytes, message: RegExp): Promise<void> {
    const { status, body } = await world.uploadBackup(file)
    assert.equal(status, 400, JSON.stringify(body))
    assert.match(body.error.message, message)
    assert.equal(world.backupFiles().filter((name) => name.endsWith('.partial')).length, 0)
  }

  const tableEntry = (label: string) => {
    const entry = entriesIn(archive).find(({ name }) => name.startsWith('tables/') && name.includes(label))
    assert.ok(entry, label)
    return entry
  }

  it('is a tar file that other software reads', slow, async () => {
    const names: string[] = []
    const reader = extract()
    Readable.from([archive]).pipe(reader)
    for await (const entry of reader) {
      names.push(entry.header.name)
      entry.resume()
    }
    assert.deepEqual(
      names,
      entriesIn(archive).map(({ name }) => name),
    )
    assert.ok(names.some((name) => name.startsWith('media/')))
  })

  it('is refused with one bit changed in any of its files', slow, async () => {
    for (const { name, offset, content } of entriesIn(archive)) {
      for (const place of [0, Math.floor(content.length / 2), content.length - 1]) {
        const changed = archive.slice()
        changed[offset + place] = (changed[offset + place] ?? 0) ^ 4
        const { status, body } = await world.uploadBackup(changed)
        assert.equal(status, 400, `${name} at ${place}: ${JSON.stringify(body)}`)
      }
    }
  })

  it('is refused with one bit changed in any header', async () => {
    for (const { name, offset } of entriesIn(archive)) {
      const changed = archive.slice()
      changed[offset - 512 + 2] = (changed[offset - 512 + 2] ?? 0) ^ 4
      const { status } = await world.uploadBackup(changed)
      assert.equal(status, 400, name)
    }
  })

  it('is refused when its end is missing, wherever it was cut', async () => {
    const { length } = archive
    for (const end of [1, 511, 512, 700, Math.floor(length / 2), length - 1024, length - 513, length - 1]) {
      const { status, body } = await world.uploadBackup(archive.slice(0, end))
      assert.equal(status, 400, `${end} of ${length}: ${JSON.stringify(body)}`)
    }
  })

  it('is refused when it goes on after its end', () =>
    isRefused(new Uint8Array([...archive, ...new Uint8Array(512)]), /after its end/))

  it('is refused when it is something else', async () => {
    await isRefused(new Uint8Array(Buffer.from('no backup at all')), /not complete/)
    await isRefused(new Uint8Array(Buffer.alloc(4096, 'x')), /damaged/)
    await isRefused(new Uint8Array(gzipSync(archive)), /damaged/)
    await isRefused(archiveOf([]), /not complete/)
  })

  it('is refused with a name that leads out of it', async () => {
    for (const name of [
      '../evil.json',
      '/etc/passwd',
      'schemas/../../evil.json',
      'media/../x.png',
      'schemas\\x.json',
    ]) {
      const file = archiveOf([...entriesIn(archive).slice(0, 1), { name, content: Buffer.from('{}') }])
      await isRefused(file, /does not belong/)
    }
  })

  it('is refused with something else than a file in it', async () => {
    const linked = archive.slice()
    const header = Buffer.from(linked.buffer, 0, 512)
    header[156] = '2'.charCodeAt(0)
    header.write('        ', 148)
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    await isRefused(linked, /something else than plain files/)
  })

  it('is refused when a later release has made it', () =>
    isRefused(
      reseal(archive, { manifest: (manifest) => Object.assign(manifest, { format: 2 }) }),
      /format version 2/,
    ))

  it('is refused when it unpacks to more than it says', slow, async () => {
    const { name } = tableEntry('book')
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, '\n'))
    await isRefused(reseal(archive, { contents: { [name]: bomb } }), /damaged in tables/)
    const huge = reseal(archive, {
      contents: { [name]: bomb },
      manifest(manifest) {
        for (const table of manifest.tables) for (const part of table.parts) part.bytes = 10 ** 12
      },
    })
    await isRefused(huge, /manifest that is wrong/)
  })

  it('is refused when its rows are not what it says, though all checksums fit', async () => {
    const { name, content } = tableEntry('author')
    const text = String(gunzipSync(content))
    const withText = (changed: string) =>
      reseal(archive, {
        contents: { [name]: gzipSync(changed) },
        manifest(manifest) {
          for (const table of manifest.tables)
            for (const part of table.parts) if (part.name === name) part.bytes = Buffer.byteLength(changed)
        },
      })
    await isRefused(withText('[1]\n'), /is not valid/)
    await isRefused(withText('{"id":1}\n'), /is not valid/)
    await isRefused(withText(`${text}${text}`), /out of order/)
    await isRefused(withText(text.slice(0, -1)), /damaged/)
  })

  it('changes nothing when a value does not fit its column', async () => {
    const { name, content } = tableEntry('book')
    const text = String(gunzipSync(content)).replace('"First"', '{"no":"text"}')
    const id = await world.take(
      reseal(archive, {
        contents: { [name]: gzipSync(text) },
        manifest(manifest) {
          for (const table of manifest.tables)
            for (const part of table.parts) if (part.name === name) part.bytes = Buffer.byteLength(text)
        },
      }),
    )
    const before = await world.contents()
    const { status, body } = await world.restore(id)
    assert.equal(status, 400, JSON.stringify(body))
    assert.match(body.error.message, /book.title that is not of type string/)
    assert.deepEqual(await world.contents(), before)
  })

  it('is refused when its file was changed after it was made', async () => {
    const { id } = await world.backUp()
    const newest = world.backupFiles().sort().at(-1) ?? ''
    const path = join(world.workingDirectory, 'data/backups', newest)
    const changed = (await world.download(id)).slice()
    changed[700] = (changed[700] ?? 0) ^ 1
    writeFileSync(path, changed)
    const before = await world.contents()
    for (const dryRun of [true, false]) {
      const { status, body } = await world.restore(id, { dryRun })
      assert.equal(status, 400, JSON.stringify(body))
      assert.match(body.error.message, /does not match its checksum/)
    }
    assert.deepEqual(await world.contents(), before)
  })

  it('is refused when the form has no file, or another part', async () => {
    const none = await world.send('POST', '/api/admin/backups/upload', [{ name: 'name', content: 'x' }])
    assert.equal(none.status, 400)
    const other = await world.send('POST', '/api/admin/backups/upload', [
      { name: 'backup', content: 'x', filename: 'x.tar' },
    ])
    assert.equal(other.status, 400)
    const json = await world.admin.post('/api/admin/backups/upload', {})
    assert.equal(json.status, 415)
  })
})
