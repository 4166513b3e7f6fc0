import assert from 'node:assert/strict'
import { it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { slow } from '../support/scope.ts'
import { startBackupWorld } from './backup-world.ts'
import { entriesIn, reseal } from './reseal.ts'

const partCharacters = 2 * 1024 * 1024

it(
  'rows are in parts of two million characters or little more, whose length the archive tells',
  slow,
  async () => {
    const world = await startBackupWorld()
    try {
      const text = 'ż'.repeat(400_000)
      for (let count = 0; count < 13; count++) {
        const { status } = await world.admin.post('/api/content/book', { title: `Book ${count}`, text })
        assert.equal(status, 201)
      }
      const before = (await world.admin.get('/api/content/book?sort=id')).body.data
      const { id } = await world.backUp({ sections: { content: true } })
      const archive = await world.download(id)
      const entries = entriesIn(archive)
      const manifest = JSON.parse(String(entries.find(({ name }) => name === 'manifest.json')?.content))
      const { parts } = manifest.tables.find(({ type }: { type: string }) => type === 'book')
      const lengths = parts.map((part: { name: string; bytes: number; rows: number }) => {
        const rows = gunzipSync(entries.find(({ name }) => name === part.name)?.content ?? '')
        assert.equal(rows.length, part.bytes)
        assert.equal(String(rows).split('\n').length - 1, part.rows)
        return String(rows).length
      })
      assert.equal(lengths.length, 3, String(lengths))
      for (const length of lengths.slice(0, -1)) {
        assert.ok(length >= partCharacters && length < partCharacters + text.length + 1_000, String(length))
      }
      for (const difference of [-1, 1]) {
        const wrong = reseal(archive, {
          manifest(said) {
            const table = said.tables.find(({ type }: { type: string }) => type === 'book')
            table.parts[1].bytes += difference
          },
        })
        assert.equal((await world.uploadBackup(wrong)).status, 400, `${difference}`)
      }
      await world.admin.patch('/api/content/book/bulk-update', { ids: [before[0].id], data: { text: 'x' } })
      assert.equal((await world.restore(id)).status, 200)
      assert.deepEqual((await world.admin.get('/api/content/book?sort=id')).body.data, before)
    } finally {
      await world.stop()
    }
  },
)
