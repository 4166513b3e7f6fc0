import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import type { ColumnSpec, TableSpec } from '../../core-plugins/foundation/database/database.ts'
import { synchronize } from '../../core-plugins/foundation/database/sync/synchronize.ts'
import { shortenNames } from '../../core-plugins/foundation/database/tables/identifier.ts'
import { countSchemaStatements } from '../support/count-statements.ts'
import { eachDatabase } from '../support/databases.ts'
import { openUrl } from '../support/open-test-database.ts'
import { slow } from '../support/scope.ts'
import { scriptArguments } from '../support/script.ts'
import { insertRow, selectRows } from '../support/table-rows.ts'
import { articles, authors, createSyncWorld, id, title } from './sync-world.ts'

eachDatabase((database) => {
  const { open, sync, preview, atEnd } = createSyncWorld(database)

  describe('safe changes', () => {
    it('come to nothing when nothing was declared anew', async () => {
      const tables = [authors, articles([title], { indexes: [{ columns: ['title'], type: 'fulltext' }] })]
      const driver = await open(tables)
      assert.deepEqual(await sync(driver, tables), { applied: [], blocked: [] })
      assert.deepEqual(await preview(driver, tables.toReversed()), [])
    })

    it('are remembered once', async () => {
      const driver = await open([authors])
      const columns = sql.raw('name, hash, tables, blocked, applied_at')
      const again = sql`insert into svc_schema_state (${columns}) select ${columns} from svc_schema_state`
      await assert.rejects(async () => driver.run(driver.prepare(again)), { kind: 'unique' })
    })

    it('leave alone what was made by hand, indexes of expressions included', async () => {
      const driver = await open([articles([title])])
      await driver.run(driver.prepare(sql`create table by_hand (name varchar(20) primary key)`))
      // MariaDB has no indexes of expressions.
      const indexed = database.name === 'mysql' ? sql`title` : sql`lower(title)`
      await driver.run(driver.prepare(sql`create index by_hand_lower on articles (${indexed})`))
      assert.deepEqual(await preview(driver, [articles([title])]), [])
      const relaxed = articles([title, { name: 'views', kind: 'integer', nullable: true }])
      assert.deepEqual(await sync(driver, [relaxed]), {
        applied: ['safe add-column articles.views'],
        blocked: [],
      })
    })

    it('adds tables, columns with and without defaults, indexes and references', async () => {
      const driver = await open([articles([title])])
      await insertRow(driver, articles([title]), { title: 'kept' })
      const author: ColumnSpec = { name: 'author_id', kind: 'reference', nullable: true }
      const defaults: ColumnSpec[] = [
        { name: 'views', kind: 'integer', default: 0 },
        { name: 'price', kind: 'decimal', default: '1.50' },
        { name: 'state', kind: 'string', length: 20, default: "it's new" },
        { name: 'notes', kind: 'text', default: String.raw`it's in C:\\new` },
        { name: 'isOpen', kind: 'boolean', default: true },
        { name: 'since', kind: 'datetime', default: '2026-01-01T00:00:00.000Z' },
      ]
      const wanted = articles([title, author, ...defaults], {
        indexes: [
          { columns: ['title', 'views'], type: 'unique' },
          { columns: ['title'], type: 'fulltext' },
          { columns: ['notes'], type: 'index' },
        ],
        references: [{ column: 'author_id', table: 'authors', onDelete: 'cascade' }],
      })
      const { applied, blocked } = await sync(driver, [wanted, authors])
      assert.deepEqual(blocked, [])
      assert.equal(applied.length, 12 + (database.name === 'sqlite' ? 0 : 1))
      assert.deepEqual(await preview(driver, [wanted, authors]), [])
      assert.deepEqual(await selectRows(driver, wanted), [
        {
          id: 1,
          title: 'kept',
          author_id: null,
          views: 0,
          price: 1.5,
          state: "it's new",
          notes: String.raw`it's in C:\\new`,
          isOpen: true,
          since: '2026-01-01T00:00:00.000Z',
        },
      ])
      const author1 = await insertRow(driver, authors, { name: 'Ada' })
      await insertRow(driver, wanted, { title: 'owned', author_id: author1 })
      // What a later row gets is the same, however often the table has been changed since.
      assert.deepEqual(
        (await selectRows(driver, wanted)).map(({ notes }) => notes),
        Array(2).fill(String.raw`it's in C:\\new`),
      )
      await driver.run(driver.prepare(sql`delete from authors`))
      assert.equal((await selectRows(driver, wanted)).length, 1)
    })

    it('keeps rows, ids, indexes and what refers to a table that changes its shape', async () => {
      const required = articles([{ ...title, nullable: false }], {
        indexes: [{ columns: ['title'], type: 'unique' }],
      })
      const comments: TableSpec = {
        name: 'comments',
        columns: [id, { name: 'article_id', kind: 'reference' }],
        references: [{ column: 'article_id', table: 'articles', onDelete: 'cascade' }],
      }
      const driver = await open([required, comments])
      const first = await insertRow(driver, required, { title: 'a' })
      const last = await insertRow(driver, required, { title: 'b' })
      await insertRow(driver, comments, { article_id: first })
      await driver.run(driver.prepare(sql`delete from articles where id = ${last}`))
      const relaxed = articles([title], { indexes: [{ columns: ['title'], type: 'unique' }] })
      const { applied } = await sync(driver, [relaxed, comments])
      assert.ok(applied.includes('safe make-nullable articles.title'))
      assert.equal((await selectRows(driver, comments)).length, 1)
      assert.equal(await insertRow(driver, relaxed, { title: null }), last + 1)
      await assert.rejects(async () => insertRow(driver, relaxed, { title: 'a' }), {
        kind: 'unique',
        columns: ['title'],
      })
      await driver.run(driver.prepare(sql`delete from articles where id = ${first}`))
      assert.equal((await selectRows(driver, comments)).length, 0)
      assert.deepEqual(await preview(driver, [relaxed, comments]), [])
    })

    it('renames a column with its data, index and reference', async () => {
      const before = articles([title, { name: 'writer_id', kind: 'reference', nullable: true }], {
        indexes: [{ columns: ['title'], type: 'unique' }],
        references: [{ column: 'writer_id', table: 'authors', onDelete: 'restrict' }],
      })
      const driver = await open([before, authors])
      const author = await insertRow(driver, authors, { name: 'Ada' })
      await insertRow(driver, before, { title: 'kept', writer_id: author })
      const renamed = articles(
        [
          { ...title, name: 'headline', renamedFrom: 'title' },
          { name: 'author_id', kind: 'reference', nullable: true, renamedFrom: 'writer_id' },
        ],
        {
          indexes: [{ columns: ['headline'], type: 'unique' }],
          references: [{ column: 'author_id', table: 'authors', onDelete: 'restrict' }],
        },
      )
      const { applied, blocked } = await sync(driver, [renamed, authors])
      assert.deepEqual(blocked, [])
      assert.ok(applied.includes('safe rename-column articles.headline'))
      assert.deepEqual(await selectRows(driver, renamed), [{ id: 1, headline: 'kept', author_id: author }])
      await assert.rejects(async () => insertRow(driver, renamed, { headline: 'kept' }), {
        kind: 'unique',
        columns: ['headline'],
      })
      await assert.rejects(async () => driver.run(driver.prepare(sql`delete from authors`)), {
        kind: 'reference',
      })
      assert.deepEqual(await preview(driver, [renamed, authors]), [])
      assert.deepEqual(await sync(driver, [renamed, authors, { ...authors, name: 'others' }]), {
        applied: ['safe create-table others'],
        blocked: [],
      })
    })

    it('widens types and rewrites what is kept in another form', async () => {
      const before = articles(
        [
          title,
          { name: 'code', kind: 'integer', nullable: true },
          { name: 'amount', kind: 'integer', nullable: true },
          { name: 'day', kind: 'date', nullable: true },
          { name: 'note', kind: 'string', length: 10, nullable: true },
        ],
        { indexes: [{ columns: ['code', 'amount'], type: 'index' }] },
      )
      const driver = await open([before])
      await insertRow(driver, before, {
        title: 'a',
        code: -7,
        amount: 9007199254740991,
        day: '2026-01-31',
        note: 'n',
      })
      await insertRow(driver, before, { title: null })
      const wider = articles(
        [
          { ...title, length: 200 },
          { name: 'code', kind: 'string', length: 40, nullable: true },
          { name: 'amount', kind: 'decimal', nullable: true },
          { name: 'day', kind: 'datetime', nullable: true },
          { name: 'note', kind: 'text', nullable: true },
        ],
        { indexes: [{ columns: ['code', 'amount'], type: 'index' }] },
      )
      const { blocked } = await sync(driver, [wider])
      assert.deepEqual(blocked, [])
      assert.deepEqual(await preview(driver, [wider]), [])
      assert.deepEqual(await selectRows(driver, wider), [
        {
          id: 1,
          title: 'a',
          code: '-7',
          amount: 9007199254740991,
          day: '2026-01-31T00:00:00.000Z',
          note: 'n',
        },
        { id: 2, title: null, code: null, amount: null, day: null, note: null },
      ])
      await insertRow(driver, wider, { title: 'ü'.repeat(200), note: 'x'.repeat(1_000) })
    })

    it('follows indexes and references that are declared otherwise', async () => {
      const author: ColumnSpec = { name: 'author_id', kind: 'reference', nullable: true }
      const before = articles([title, author], {
        indexes: [{ columns: ['author_id'], type: 'unique' }],
        references: [{ column: 'author_id', table: 'authors', onDelete: 'restrict' }],
      })
      const driver = await open([before, authors])
      const after = articles([title, author], {
        indexes: [{ columns: ['title', 'author_id'], type: 'index' }],
        references: [{ column: 'author_id', table: 'authors', onDelete: 'set null' }],
      })
      assert.deepEqual((await sync(driver, [after, authors])).blocked, [])
      assert.deepEqual(await preview(driver, [after, authors]), [])
      const owner = await insertRow(driver, authors, { name: 'Ada' })
      for (const name of ['a', 'b']) await insertRow(driver, after, { title: name, author_id: owner })
      await driver.run(driver.prepare(sql`delete from authors`))
      assert.deepEqual(
        (await selectRows(driver, after)).map((row) => row.author_id),
        [null, null],
      )
    })

    it('takes names that are too long for a database, and tells them in errors', async () => {
      const long = 'a'.repeat(70)
      const column: ColumnSpec = { name: `${long}_title`, kind: 'json', nullable: true }
      const table: TableSpec = {
        name: `${long}_articles`,
        columns: [
          id,
          column,
          { ...title, name: `${long}_slug` },
          { name: `${long}_other`, kind: 'reference', nullable: true },
        ],
        indexes: [{ columns: [`${long}_slug`], type: 'unique' }],
        references: [{ column: `${long}_other`, table: `${long}_articles`, onDelete: 'set null' }],
      }
      const driver = await open([table, { ...table, name: `${long}_artists`, references: [] }])
      const row = { [`${long}_title`]: { a: 1 }, [`${long}_slug`]: 'x', [`${long}_other`]: null }
      const inserted = await insertRow(driver, table, row)
      assert.deepEqual(await selectRows(driver, table), [{ id: inserted, ...row }])
      await assert.rejects(async () => insertRow(driver, table, row), {
        kind: 'unique',
        table: table.name,
        columns: [`${long}_slug`],
      })
      assert.equal(await driver.tableCount(), 2)
      assert.deepEqual(
        await preview(
          driver,
          [table, { ...table, name: `${long}_artists`, references: [] }].map(shortenNames),
        ),
        [],
      )
    })

    it('has columns of an index go down, nulls or not, and knows them again', async () => {
      const moment: ColumnSpec = { name: 'moment', kind: 'datetime', nullable: true }
      const columns = ['moment', 'id', 'title']
      const up = articles([title, moment], { indexes: [{ columns, type: 'index' }] })
      const down = articles([title, moment], {
        indexes: [
          { columns, descending: ['moment'], type: 'index' },
          { columns: ['id', 'moment'], descending: ['id'], type: 'index' },
        ],
      })
      const driver = await open([up])
      assert.deepEqual(await sync(driver, [down]), {
        applied: [
          'safe drop-index articles.moment,id,title',
          'safe create-index articles.moment,id,title',
          'safe create-index articles.id,moment',
        ],
        blocked: [],
      })
      assert.deepEqual(await preview(driver, [down]), [])
    })

    it('has long unique texts and texts without bounds in indexes', async () => {
      const table = articles(
        [
          { ...title, length: 4_000 },
          { name: 'body', kind: 'text', nullable: true },
        ],
        {
          indexes: [
            { columns: ['title'], type: 'unique' },
            { columns: ['body'], type: 'unique' },
            { columns: ['body', 'title'], type: 'index' },
          ],
        },
      )
      const driver = await open([table])
      const long = 'ü'.repeat(3_999)
      await insertRow(driver, table, { title: `${long}a`, body: 'x'.repeat(300_000) })
      await insertRow(driver, table, { title: `${long}b`, body: 'X'.repeat(300_000) })
      await assert.rejects(async () => insertRow(driver, table, { title: `${long}a` }), {
        kind: 'unique',
        columns: ['title'],
      })
      assert.deepEqual(await preview(driver, [table]), [])
    })
  })

  describe('several processes', () => {
    const many = Array.from(
      { length: 12 },
      (_, index): TableSpec => ({
        name: `things_${index}`,
        columns: [id, { ...title, nullable: false }, { name: 'next_id', kind: 'reference', nullable: true }],
        indexes: [{ columns: ['title'], type: 'unique' }],
        references: [{ column: 'next_id', table: `things_${(index + 1) % 12}`, onDelete: 'set null' }],
      }),
    )

    it('find nothing left to do where another one was faster', async () => {
      const { url, drop } = await database.createUrl()
      atEnd(drop)
      const counts = await Promise.all(
        [1, 2].map(async () => {
          const driver = await openUrl(url)
          atEnd(() => driver.close())
          const statements = countSchemaStatements(driver)
          await synchronize(driver, many)
          return statements.count()
        }),
      )
      // The state is read, if that has not been done before.
      assert.ok(Math.min(...counts) <= 1, counts.join())
      assert.ok(Math.max(...counts) > 1, counts.join())
    })

    it('sync once when they start together', async () => {
      const { url, drop } = await database.createUrl()
      atEnd(drop)
      const outputs = await Promise.all([1, 2].map(() => output(startSync(url, many))))
      const counts = outputs.map((text) => JSON.parse(text).applied as number)
      assert.equal(Math.min(...counts), 0)
      const driver = await openUrl(url)
      try {
        assert.deepEqual(await preview(driver, many), [])
      } finally {
        await driver.close()
      }
    })

    it('go on from where one was killed', slow, async () => {
      const { url, drop } = await database.createUrl()
      atEnd(drop)
      const driver = await openUrl(url)
      try {
        // The first dies after its first statement, and each that follows somewhat later.
        for (const statements of [2, 5]) {
          const [, signal] = await once(startSync(url, many, statements), 'exit')
          assert.equal(signal, 'SIGKILL')
        }
        await sync(driver, many)
        assert.deepEqual(await preview(driver, many), [])
      } finally {
        await driver.close()
      }
    })
  })
})

const program = fileURLToPath(new URL('../support/sync-process.ts', import.meta.url))

/** A process that syncs and writes the result; it may be told to die after so many statements. */
function startSync(url: string, tables: readonly TableSpec[], statements?: number): ChildProcess {
  const programArguments = [url, JSON.stringify(tables), String(statements ?? '')]
  return spawn(process.execPath, [...scriptArguments(program), ...programArguments], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

async function output(child: ChildProcess): Promise<string> {
  let text = ''
  child.stdout?.on('data', (part) => {
    text += part
  })
  const [code] = await once(child, 'close')
  assert.equal(code, 0)
  return text
}
