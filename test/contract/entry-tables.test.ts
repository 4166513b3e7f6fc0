import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import {
  contentWriteMiddleware,
  defineWriteMiddleware,
  entryTables,
} from '../../core-plugins/entries/content/content.ts'
import {
  column,
  databaseService,
  defineTable,
  tables,
} from '../../core-plugins/foundation/database/database.ts'
import { definePlugin } from '../../kernel/index.ts'
import { type } from '../schemas/schema-directory.ts'
import { countStatements } from '../support/count-statements.ts'
import { eachDatabase } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

const ratingsTable = defineTable(
  'test_ratings',
  { id: column.id(), type: column.string(64), entryId: column.integer() },
  { indexes: [{ columns: ['type', 'entryId'], type: 'index' }] },
)

/** Keeps a row of each entry that is made, and has those of all types but memos deleted with their entries. */
const ratings = definePlugin({
  name: 'ratings',
  description: 'Keeps something beside entries',
  uses: { database: databaseService },
  register({ contribute }) {
    contribute(tables, ratingsTable.spec)
  },
  init({ services: { database }, contribute }) {
    const insert = ratingsTable.on(database).insert()
    contribute(entryTables, { table: ratingsTable, matches: ({ name }) => name !== 'memo' })
    const keep = defineWriteMiddleware({
      ...{ name: 'ratings: keep', operations: ['create'] },
      async run(context, next) {
        const entry = await next()
        await insert.run({ type: context.type.name, entryId: entry.id }, context.tx)
        return entry
      },
    })
    contribute(contentWriteMiddleware, keep)
  },
})

const schemas = {
  'note.json': type('note', { title: { type: 'string' } }),
  'memo.json': type('memo', { title: { type: 'string' } }),
  'letter.json': type('letter', { title: { type: 'string' } }, { options: { softDelete: true } }),
}

eachDatabase(({ name: database }) => {
  let service: TestService
  before(async () => {
    service = await startService({ database, schemas, plugins: [ratings] })
  })
  after(() => service.stop())

  const make = async (name: string): Promise<number> =>
    (await service.admin.post(`/api/content/${name}`, { title: 'A' })).body.data.id
  const remove = async (path: string, body?: object) =>
    assert.equal((await service.admin.delete(`/api/content/${path}`, body)).status, 200)
  const ratedOf = async (name: string) => {
    const all = ratingsTable.on(service.kernel.get(databaseService)).find(['type'])
    return (await all.all({ type: name })).map(({ entryId }) => entryId)
  }

  it('what a table says of an entry is deleted with it, and nothing else', async () => {
    const [note, other, memo] = [await make('note'), await make('note'), await make('memo')]
    await remove(`note/${note}`)
    await remove(`memo/${memo}`)
    assert.deepEqual([await ratedOf('note'), await ratedOf('memo')], [[other], [memo]])
  })

  it('an entry in the trash keeps it until the trash is emptied', async () => {
    const [letter, kept] = [await make('letter'), await make('letter')]
    await remove(`letter/${letter}`)
    assert.deepEqual(await ratedOf('letter'), [letter, kept])
    await remove('letter/trash')
    assert.deepEqual(await ratedOf('letter'), [kept])
  })

  it('one statement is enough for many entries, and none where nothing can be there', async () => {
    const statementsFor = async (name: string, count: number) => {
      const ids: number[] = []
      for (let made = 0; made < count; made++) ids.push(await make(name))
      const removed = () => remove(`${name}/bulk-delete`, { ids })
      return countStatements(service.kernel.get(databaseService), removed, 'test_ratings')
    }
    assert.equal(await statementsFor('note', 5), 1)
    assert.equal(await statementsFor('memo', 5), 0)
  })
})
