import assert from 'node:assert/strict'
import { it } from 'node:test'
import { eachDatabase } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

const schemasWith = (attributes: object) => ({
  'note.json': {
    kind: 'collectionType',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes: { title: { type: 'string' }, ...attributes },
  },
})

const note = '/api/content/note'
// Where there is no column with such a name, PostgreSQL takes it for a conversion of the whole row.
const name = { name: { type: 'string' } }
const count = { count: { type: 'integer' } }

eachDatabase((database) => {
  // One file is not served by two versions at once.
  if (database.name === 'sqlite') return

  /** Starts an earlier version with three entries, and a later one beside it. */
  async function withVersions(
    [before, after]: readonly [object, object],
    work: (services: { readonly earlier: TestService; readonly later: TestService }) => Promise<void>,
  ): Promise<void> {
    const { url, drop } = await database.createUrl()
    const earlier = await startService({ database: { url }, schemas: schemasWith(before) })
    try {
      for (const number of [1, 2, 3]) {
        const entry = { title: `note ${number}`, name: `name ${number}`, count: number }
        const own = Object.fromEntries(
          Object.entries(entry).filter(([key]) => key === 'title' || Object.hasOwn(before, key)),
        )
        assert.equal((await earlier.admin.post(note, own)).status, 201)
      }
      const later = await startService({ database: { url }, schemas: schemasWith(after) })
      try {
        await work({ earlier, later })
      } finally {
        await later.stop()
      }
    } finally {
      await earlier.stop()
      await drop()
    }
  }

  for (const [what, versions] of Object.entries({
    'drops a column': [name, {}],
    'converts a column with a loss': [count, { count: { type: 'boolean' } }],
  } as const)) {
    it(`a process that knows it answers 503 once somebody ${what}`, () =>
      withVersions(versions, async ({ earlier, later }) => {
        const path = `${note}/2`
        const { updated_at: _version, ...entry } = (await earlier.admin.get(path)).body.data
        let isOver = false
        const syncing = later.admin
          .post('/api/database/safe-sync', { allowDestructive: true })
          .finally(() => {
            isOver = true
          })
        const askUntilRefused = async () => {
          for (;;) {
            const { status, body } = await earlier.admin.get(path)
            if (status === 503) return assert.equal(body.error.reason, 'outdated_process')
            assert.equal(status, 200, JSON.stringify(body))
            assert.deepEqual({ ...entry, ...body.data }, { ...body.data, ...entry })
            assert.ok(!isOver, 'it is told before')
          }
        }
        await askUntilRefused()
        const synced = await syncing
        assert.deepEqual([synced.status, synced.body.data?.pending], [200, []])
        for (const answer of [
          await earlier.admin.put(path, { title: 'x' }),
          await earlier.admin.get('/api/readyz'),
        ]) {
          assert.equal(answer.status, 503)
        }
        assert.equal((await later.admin.get(path)).body.data.title, entry.title)
        assert.equal((await later.admin.get('/api/readyz')).status, 200)
      }))
  }

  it('a value that only a later type has is no fault of the process that cannot read it', () =>
    withVersions([count, { count: { type: 'string' } }], async ({ earlier, later }) => {
      assert.equal((await later.admin.put(`${note}/1`, { count: 'one' })).status, 200)
      const read = await earlier.admin.get(`${note}/1`)
      if (database.name === 'postgres') {
        assert.deepEqual([read.status, read.body.error?.reason], [503, 'outdated_process'])
      } else assert.deepEqual([read.status, read.body.data?.count], [200, null])
      assert.equal((await earlier.admin.get(`${note}/2`)).body.data.count, 2)
      assert.equal((await later.admin.get(`${note}/1`)).body.data.count, 'one')
    }))
})
