import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { type MediaStorage, mediaStorages } from '../../core-plugins/delivery/media/media.ts'
import { definePlugin } from '../../kernel/index.ts'
import { gate } from '../jobs/jobs-world.ts'
import { slow } from '../support/scope.ts'
import { until } from '../support/until.ts'
import { startBackupWorld } from './backup-world.ts'
import { entriesIn } from './reseal.ts'

/** Keeps files in memory, and waits before it lets any of them be read but the one by which the start tries it out. */
function gatedStorage() {
  const files = new Map<string, Buffer>()
  const reading = gate()
  const mayRead = gate()
  const storage: MediaStorage = {
    async write(key, source) {
      files.set(key, await buffer(source))
    },
    async adopt(key, path) {
      files.set(key, await readFile(path))
    },
    stat: async (key) => {
      const file = files.get(key)
      return file && { size: file.length }
    },
    async read(key) {
      if (!key.startsWith('trial-')) {
        reading.open()
        await mayRead.opened
      }
      const file = files.get(key)
      return file && Readable.from([file])
    },
    async delete(key) {
      files.delete(key)
    },
  }
  const plugin = definePlugin({
    name: 'gated-storage',
    description: 'Keeps files in memory',
    register: ({ contribute }) => contribute(mediaStorages, { type: 'gated', open: () => storage }),
  })
  return { files, reading, mayRead, plugin }
}

describe('a file that is deleted while a backup is made', slow, () => {
  it('is in the backup, and removed afterwards', async () => {
    const { files, reading, mayRead, plugin } = gatedStorage()
    const world = await startBackupWorld({ plugins: [plugin], env: { STORAGE_TYPE: 'gated' } })
    try {
      const added = []
      for (let number = 0; number < 5; number += 1)
        added.push(await world.add(`note ${number}`, `${number}.txt`))
      const { body } = await world.admin.post('/api/admin/backups', { async: true })
      await reading.opened
      for (const { id } of added) assert.equal((await world.admin.delete(`/api/media/${id}`)).status, 200)
      await until(async () => {
        const jobs = (await world.admin.get('/api/admin/jobs?name=media.delete-files')).body.data
        return jobs.every(({ error }: { error: string | null }) => error?.includes('not removed at present'))
      })
      await until(() => files.size === 5)
      mayRead.open()
      const path = `/api/admin/backups/${body.data.id}`
      await until(async () => (await world.admin.get(path)).body.data.status === 'completed')
      const names = entriesIn(await world.download(body.data.id)).map(({ name }) => name)
      for (const { filename } of added) assert.ok(names.includes(`media/${filename}`), filename)
      await until(() => files.size === 0)

      assert.equal((await world.restore(body.data.id)).status, 200)
      assert.deepEqual([...files.keys()].sort(), added.map(({ filename }) => filename).sort())
      assert.equal(String(files.get(added[3].filename)), 'note 3')
    } finally {
      mayRead.open()
      await world.stop()
    }
  })
})
