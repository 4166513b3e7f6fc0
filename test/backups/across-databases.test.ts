import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type DatabaseUnderTest, databasesUnderTest, eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { until } from '../support/until.ts'
import { type BackupWorld, fill, startBackupWorld } from './backup-world.ts'

const targets = (await databasesUnderTest()).map(({ name }) => name)

eachDatabase((engine: DatabaseUnderTest) => {
  describe('a backup', () => {
    let source: BackupWorld
    let archive: Uint8Array<ArrayBuffer>
    let contents: unknown
    let comments: unknown
    let backup: { id: number; size: number; counts: Record<string, unknown> }
    let ids: Awaited<ReturnType<typeof fill>>

    before(async () => {
      source = await startBackupWorld({ database: engine.name })
      ids = await fill(source)
      const path = `/api/content/author/${ids.author.id}/comments`
      const { body } = await source.admin.post(path, { body: 'Who is that?' })
      await source.admin.post(path, { body: 'Somebody', parent: body.data.id })
      comments = (await source.admin.get(path)).body.data
      contents = await source.contents()
      backup = await source.backUp({ name: 'All of it' })
      archive = await source.download(backup.id)
    })
    after(() => source?.stop())

    it('counts what it holds', () => {
      assert.equal(archive.length, backup.size)
      const ofPlugins = [
        ...['svc_comments', 'svc_drafts', 'svc_migrated', 'svc_revisions', 'svc_social_identities'],
        ...['svc_translation_changes', 'svc_unpublish_times'],
        ...['svc_workflow_states', 'svc_workflow_transitions'],
      ]
      const counts = Object.entries(backup.counts.content as Record<string, number>)
      assert.ok(counts.some(([name, count]) => name === 'svc_revisions' && count > 0))
      const own = Object.fromEntries(counts.filter(([name]) => !ofPlugins.includes(name)))
      assert.deepEqual(own, {
        author: 1,
        book: 2,
        'book.similar': 2,
        'book.gallery': 2,
        settings: 1,
        user: 1,
        svc_attribute_names: 1,
        svc_single_entries: 1,
      })
    })

    for (const target of targets) {
      it(`is restored by a service on ${target}`, slow, async () => {
        const world = await startBackupWorld({ database: target })
        try {
          await fill(world)
          await world.admin.post('/api/content/author', { name: 'Gone after the restore' })
          const id = await world.take(archive)
          const dry = await world.restore(id, { dryRun: true })
          assert.equal(dry.status, 200, JSON.stringify(dry.body))
          assert.equal(dry.body.data.success, true, JSON.stringify(dry.body))
          assert.equal(dry.body.data.changes.content.author.removed, 1)
          assert.notDeepEqual(await world.contents(), contents)

          const { status, body } = await world.restore(id)
          assert.equal(status, 200, JSON.stringify(body))
          assert.equal(body.data.success, true)
          await until(() => world.files().length === source.files().length)
          assert.deepEqual(await world.contents(), contents)
          const restored = await world.admin.get(`/api/content/author/${ids.author.id}/comments`)
          assert.deepEqual(restored.body.data, comments)

          const again = await world.restore(id, { dryRun: true })
          for (const changes of Object.values(again.body.data.changes.content) as { changed: number }[]) {
            assert.deepEqual({ ...changes, unchanged: 0 }, { added: 0, changed: 0, removed: 0, unchanged: 0 })
          }
          const next = await world.admin.post('/api/content/author', { name: 'Next' })
          assert.ok(next.body.data.id > ids.author.id, 'ids go on above those restored')
          const { body: log } = await world.admin.get('/api/admin/audit-logs?action=backup.restore')
          assert.equal(log.data.length, 1)
          assert.equal(log.data[0].resource, `backup:${id}`)
        } finally {
          await world.stop()
        }
      })
    }
  })
})
