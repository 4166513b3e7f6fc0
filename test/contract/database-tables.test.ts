import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import {
  column,
  type Database,
  defineTable,
  isUniqueViolation,
  type NewRowOf,
  query,
  type RowOf,
  selectList,
} from '../../core-plugins/foundation/database/database.ts'
import { eachDatabase } from '../support/databases.ts'
import { openTestDatabase } from '../support/open-test-database.ts'

const shelves = defineTable('test_shelves', { id: column.id(), label: column.string(20) })

const books = defineTable(
  'test_books',
  {
    id: column.id(),
    title: column.string(100),
    state: column.string<'lent' | 'here'>(10).named('book_state'),
    shelfId: column.reference('test_shelves', 'cascade'),
    tags: column.json<readonly string[]>(),
    isRare: column.boolean().default(false),
    lentAt: column.datetime().nullable(),
  },
  {
    indexes: [
      { columns: ['title'], type: 'unique' },
      { columns: ['state', 'shelfId'], type: 'index' },
    ],
  },
)

type Book = RowOf<typeof books>

describe('a table that is declared once', () => {
  it('is told to sync with the names that the database has', () => {
    assert.deepEqual(books.spec, {
      name: 'test_books',
      columns: [
        { name: 'id', kind: 'id' },
        { name: 'title', kind: 'string', length: 100 },
        { name: 'book_state', kind: 'string', length: 10 },
        { name: 'shelf_id', kind: 'reference' },
        { name: 'tags', kind: 'json' },
        { name: 'is_rare', kind: 'boolean', default: false },
        { name: 'lent_at', kind: 'datetime', nullable: true },
      ],
      indexes: [
        { columns: ['title'], type: 'unique' },
        { columns: ['book_state', 'shelf_id'], type: 'index' },
      ],
      references: [{ column: 'shelf_id', table: 'test_shelves', onDelete: 'cascade' }],
    })
  })

  it('has a key of several columns', () => {
    const links = defineTable(
      'test_links',
      { from: column.integer().named('source'), toId: column.integer() },
      { primaryKey: ['from', 'toId'] },
    )
    assert.deepEqual(links.spec.primaryKey, ['source', 'to_id'])
  })

  it('knows its columns by name', () => {
    assert.deepEqual(books.except('id', 'tags'), ['title', 'state', 'shelfId', 'isRare', 'lentAt'])
    assert.deepEqual(Object.keys(books.pick('lentAt', 'title')), ['lentAt', 'title'])
    assert.throws(() => books.pick('missing' as 'title'), /no column missing/)
  })
})

eachDatabase((engine) => {
  describe('statements of a declared table', () => {
    let database: Database
    let close: () => Promise<void>
    let shelfId: number
    before(async () => {
      const opened = await openTestDatabase(engine, [shelves.spec, books.spec])
      database = opened.driver
      close = opened.close
      shelfId = (await shelves.on(database).insert().run({ label: 'A' })).insertId
    })
    after(() => close())
    beforeEach(() => books.on(database).delete([]).run())

    const make = async (title: string, more: Partial<NewRowOf<typeof books>> = {}) => {
      const row = { title, state: 'here', shelfId, tags: [], isRare: false, ...more } as const
      return (await books.on(database).insert().run(row)).insertId
    }

    it('write rows, and read them as application values', async () => {
      const lentAt = '2026-01-31T08:00:00.000Z'
      const id = await make('One', { tags: ['x'], isRare: true, state: 'lent', lentAt })
      const expected: Book = { id, title: 'One', state: 'lent', shelfId, tags: ['x'], isRare: true, lentAt }
      assert.deepEqual({ ...(await books.on(database).find(['id']).get({ id })) }, expected)
    })

    it('insert nulls where nothing is said, and only columns that are asked for', async () => {
      const id = await make('One')
      const found = await books
        .on(database)
        .find(['id'], { pick: ['lentAt'] })
        .get({ id })
      assert.deepEqual({ ...found }, { lentAt: null })
      const labels = shelves.on(database).insert({ columns: ['label'] })
      await labels.run({ label: 'B' })
      assert.equal((await shelves.on(database).count(['label']).get({ label: 'B' }))?.total, 1)
    })

    it('leave duplicates out where that is asked for', async () => {
      await make('One')
      await assert.rejects(make('One'), isUniqueViolation)
      const row = { title: 'One', state: 'here', shelfId, tags: [], isRare: false } as const
      await books.on(database).insert({ ignoreDuplicates: true }).run(row)
      assert.equal((await books.on(database).count([]).get())?.total, 1)
    })

    it('insert many rows at once', async () => {
      const rows = ['One', 'Two', 'Three'].map(
        (title) => ({ title, state: 'here', shelfId, tags: [title], isRare: false }) as const,
      )
      await books.on(database).insertMany()(rows)
      const titles = books.on(database).find([], { pick: ['title'], orderBy: sql`${books.columns.id}` })
      assert.deepEqual(
        (await titles.all()).map(({ title }) => title),
        ['One', 'Two', 'Three'],
      )
    })

    it('find by conditions, in an order, locked, and no more than asked for', async () => {
      const ids = [await make('One'), await make('Two'), await make('Three', { state: 'lent' })]
      const { id, state } = books.columns
      const found = books
        .on(database)
        .find((value, inList) => sql`${state} = ${value(state)} and ${inList(id, 'ids')}`, {
          pick: ['title'],
          orderBy: sql`${id} desc`,
          limit: 1,
          lock: true,
        })
      const rows = await database.transaction((tx) => found.all({ state: 'here', ids }, tx))
      assert.deepEqual(
        rows.map(({ title }) => title),
        ['Two'],
      )
    })

    it('read pages with the number of all rows', async () => {
      for (const title of ['One', 'Two', 'Three']) await make(title)
      await make('Four', { state: 'lent' })
      const page = books.on(database).page(['state'], { pick: ['title'], orderBy: sql`${books.columns.id}` })
      const { rows, total } = await page({ state: 'here', limit: 2, offset: 1 })
      assert.deepEqual([rows.map(({ title }) => title), total], [['Two', 'Three'], 3])
    })

    it('update and delete what meets a condition', async () => {
      const [one, two] = [await make('One'), await make('Two')]
      const { title, state } = books.columns
      const statements = books.on(database)
      const renamed = await statements
        .update(['title', 'tags'], ['id'])
        .run({ id: one, title: 'Uno', tags: ['y'] })
      assert.equal(renamed.changes, 1)
      await statements
        .update(
          () => sql`${state} = 'lent'`,
          (value) => sql`${title} <> ${value(title, 'kept')}`,
        )
        .run({ kept: 'Two' })
      assert.equal((await statements.find(['id']).get({ id: one }))?.state, 'lent')
      assert.equal((await statements.delete(['id', 'state']).run({ id: two, state: 'lent' })).changes, 0)
      assert.equal((await statements.delete(['id']).run({ id: two })).changes, 1)
    })

    it('are joined by aliases', async () => {
      await make('One')
      const [b, s] = [books.as('b'), shelves.as('s')]
      const selected = { ...b.pick('title', 'state'), shelf: s.columns.label }
      const rows = await query(
        database,
        () => sql`select ${selectList(database, selected)} from ${b} join ${s}
          on ${s.columns.id} = ${b.columns.shelfId}`,
        selected,
      ).all()
      assert.deepEqual(
        rows.map((row) => ({ ...row })),
        [{ title: 'One', state: 'here', shelf: 'A' }],
      )
    })
  })
})
