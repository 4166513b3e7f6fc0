import assert from 'node:assert/strict'
import { it } from 'node:test'
import { jobsService } from '../../core-plugins/background/jobs/jobs.ts'
import { startBackupWorld } from '../backups/backup-world.ts'
import { slow } from '../support/scope.ts'

it('finds what a restore has brought back, and nothing that it has removed', slow, async () => {
  const world = await startBackupWorld()
  try {
    const { body } = await world.admin.post('/api/content/author', { name: 'Cornelia' })
    const backup = await world.backUp()
    await world.admin.put(`/api/content/author/${body.data.id}`, { name: 'Erich' })
    await world.admin.post('/api/content/author', { name: 'Astrid' })
    assert.equal((await world.restore(backup.id)).status, 200)
    await world.kernel.get(jobsService).drain()
    const hits = async (word: string) => {
      const { body: found } = await world.admin.get(`/api/search?q=${word}`)
      return found.data.map((hit: { title: string }) => hit.title)
    }
    assert.deepEqual(await hits('cornelia'), ['Cornelia'])
    assert.deepEqual(await hits('erich'), [])
    assert.deepEqual(await hits('astrid'), [])
  } finally {
    await world.stop()
  }
})
