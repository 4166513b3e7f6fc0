import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { it } from 'node:test'
import { tryOut } from '../../core-plugins/delivery/media/files/try-out.ts'
import type { MediaStorage } from '../../core-plugins/delivery/media/media.ts'

it('a storage that answers without an end is found out at the beginning', async () => {
  const removed: string[] = []
  let pieces = 0
  const endless: MediaStorage = {
    write: async (_, source) => void source.resume(),
    adopt: async () => undefined,
    stat: async () => ({ size: 1 }),
    read: async () =>
      new Readable({
        read() {
          pieces += 1
          // Whoever reads on is told so, before this takes all memory.
          if (pieces > 10_000) this.destroy(new Error('it was read on'))
          else this.push('A trial')
        },
      }),
    delete: async (key) => void removed.push(key),
  }
  await assert.rejects(tryOut(endless, 'trial.txt'), { name: 'StorageFailure', fault: 'foreign' })
  assert.deepEqual(removed, ['trial.txt'])
})
