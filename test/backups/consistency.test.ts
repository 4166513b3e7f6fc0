import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { databaseService, query } from '../../core-plugins/foundation/database/database.ts'
import { type DatabaseUnderTest, eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { type BackupWorld, startBackupWorld } from './backup-world.ts'
import { entriesIn } from './reseal.ts'

const pair = (name: string) => ({
  kind: 'collectionType',
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  attributes: { count: { type: 'integer' }, filler: { type: 'text' } },
})

/** Entries of two types that are always changed together. */
const schemas = { 'a-left.json': pair('a-left'), 'z-right.json': pair('z-right') }

const rows = 3_000

eachDatabase((engine: DatabaseUnderTest) => {
  describe('a backup made while writes go on', slow, () => {
    let world: BackupWorld
    before(async () => {
      world = await startBackupWorld({ database: engine.name, schemas })
      const database = world.kernel.get(databaseService)
      const moment = new Date().toISOString()
      for (const table of ['a_left', 'z_right']) {
        const insert = query(
          database,
          (
            value,
          ) => sql`insert into ${sql.identifier(tableOf(table))} (${sql.identifier('count')}, filler, created_at, updated_at)
            values (0, ${value('filler', 'text')}, ${value('moment', 'datetime')}, ${value('moment', 'datetime')})`,
        )
        await database.transaction(async (tx) => {
          for (let row = 0; row < rows; row += 1) await insert.run({ filler: 'x'.repeat(500), moment }, tx)
        })
      }
    })
    after(() => world?.stop())

    it('shows one moment', async () => {
      const database = world.kernel.get(databaseService)
      const countUp = ['a_left', 'z_right'].map((table) =>
        query(
          database,
          (
            value,
          ) => sql`update ${sql.identifier(tableOf(table))} set ${sql.identifier('count')} = ${sql.identifier('count')} + 1
            where id = ${value('id', 'id')}`,
        ),
      )
      let isOver = false
      let writes = 0
      const writing = (async () => {
        while (!isOver) {
          const id = 1 + ((writes * 7919) % rows)
          await database.transaction(async (tx) => {
            for (const statement of countUp) await statement.run({ id }, tx)
          })
          writes += 1
          await new Promise((resolve) => setImmediate(resolve))
        }
      })()
      for (let round = 0; round < 3; round += 1) {
        const { id } = await world.backUp({ sections: { content: true } })
        const archive = await world.download(id)
        const [left, right] = ['a_left', 'z_right'].map((table) => countsOf(archive, table))
        assert.equal(left?.length, rows)
        assert.deepEqual(left, right)
      }
      isOver = true
      await writing
      assert.ok(writes > 50, `only ${writes} writes`)
    })
  })
})

const tableOf = (type: string) => `content_${type}`

function countsOf(archive: Uint8Array, table: string): unknown[] {
  const entries = entriesIn(archive)
  const manifest = JSON.parse(String(entries.find(({ name }) => name === 'manifest.json')?.content))
  const { columns, parts } = manifest.tables.find(({ name }: { name: string }) => name.endsWith(table))
  const place = columns.findIndex(({ name }: { name: string }) => name === 'count')
  return parts.flatMap((part: { name: string }) =>
    String(gunzipSync(entries.find(({ name }) => name === part.name)?.content ?? ''))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)[place]),
  )
}
