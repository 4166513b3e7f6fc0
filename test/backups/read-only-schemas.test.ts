import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { mountReadOnly, noMount } from '../support/mounts.ts'
import { slow } from '../support/scope.ts'
import { type BackupWorld, fill, startBackupWorld } from './backup-world.ts'

/** As a container has them whose image or compose file mounts them for reading. */
it('a restore onto schema files that cannot be written to', slow, async (test) => {
  const world: BackupWorld = await startBackupWorld()
  const path = join(world.workingDirectory, 'schemas/author.json')
  const { first } = await fill(world)
  const { id } = await world.backUp()
  const archived = await world.contents()
  const change = () => world.admin.put(`/api/content/book/${first.id}`, { title: 'Changed' })
  const original = readFileSync(path, 'utf8')

  async function onReadOnly(work: () => Promise<void>): Promise<boolean> {
    const mount = mountReadOnly(join(world.workingDirectory, 'schemas'))
    if (mount === undefined) return false
    await work().finally(mount.unmount)
    return true
  }

  try {
    const isMounted = await onReadOnly(async () => {
      await change()
      const { status, body } = await world.restore(id)
      assert.equal(status, 200, `the same files: ${JSON.stringify(body)}`)
      assert.deepEqual(body.data.schemaFilesWritten, [])
      assert.deepEqual(await world.contents(), archived)
    })
    if (!isMounted) return test.skip(noMount)
    writeFileSync(path, original.replace('"Author"', '"Writer"'))
    await onReadOnly(async () => {
      await change()
      const changed = await world.contents()
      const { status, body } = await world.restore(id)
      assert.equal(status, 409, `another file: ${JSON.stringify(body)}`)
      assert.match(body.error.message, /schemas\/author.json/)
      const preview = await world.restore(id, { dryRun: true })
      assert.match(preview.body.data.problems[0].message, /schemas\/author.json/)
      assert.deepEqual(await world.contents(), changed)
    })
    assert.equal((await world.restore(id)).status, 200)
    assert.equal(readFileSync(path, 'utf8'), original)
  } finally {
    await world.stop()
  }
})
