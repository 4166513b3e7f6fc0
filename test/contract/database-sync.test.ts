import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import type { ColumnSpec, SchemaChange, TableSpec } from '../../core-plugins/database/database.ts'
import type { Driver } from '../../core-plugins/database/driver.ts'
import { shortenNames } from '../../core-plugins/database/identifier.ts'
import { previewSync, synchronize, syncOnDemand } from '../../core-plugins/database/sync/synchronize.ts'
import { eachDatabase } from '../support/databases.ts'
import { openTestDatabase, openUrl } from '../support/open-test-database.ts'
import { scriptArguments } from '../support/script.ts'
import { insertRow, selectRows } from '../support/table-rows.ts'

const id: ColumnSpec = { name: 'id', kind: 'id' }

const title: ColumnSpec = { name: 'title', kind: 'string', length: 100, nullable: true }

const articles = (columns: readonly ColumnSpec[], more: Partial<TableSpec> = {}): TableSpec => ({
  name: 'articles',
  columns: [id, ...columns],
  ...more,
})

const authors: TableSpec = { name: 'authors', columns: [id, { name: 'name', kind: 'string' }] }

const words = ({ change, table, column, safe }: SchemaChange) =>
  `${safe ? 'safe' : 'blocked'} ${change} ${table}${column === null ? '' : `.${column}`}`

eachDatabase((database) => {
  const closers: (() => Promise<void>)[] = []

  afterEach(async () => {
    for (const close of closers.splice(0)) await close()
  })

  async function open(tables: readonly TableSpec[]): Promise<Driver> {
    const opened = await openTestDatabase(database, tables)
    closers.push(opened.close)
    return opened.driver
  }

  async function sync(driver: Driver, tables: readonly TableSpec[]) {
    driver.useTables(tables)
    const { applied, blocked } = await synchronize(driver, tables)
    return { applied: applied.map(words), blocked: blocked.map(words) }
  }

  async function force(driver: Driver, tables: readonly TableSpec[]) {
    const { applied, blocked } = await syncOnDemand(driver, tables, { mayLose: true })
    return { applied, blocked: blocked.map(words) }
  }

  const preview = async (driver: Driver, tables: readonly TableSpec[]) =>
    (await previewSync(driver, tables)).map(words)

  const insert = insertRow
  const select = selectRows

  describe('safe changes', () => {
    it('come to nothing when nothing was declared anew', async () => {
      const tables = [authors, articles([title], { indexes: [{ columns: ['title'], type: 'fulltext' }] })]
      const driver = await open(tables)
      assert.deepEqual(await sync(driver, tables), { applied: [], blocked: [] })
      assert.deepEqual(await preview(driver, tables.toReversed()), [])
    })

    it('adds tables, columns with and without defaults, indexes and references', async () => {
      const driver = await open([articles([title])])
      await insert(driver, articles([title]), { title: 'kept' })
      const author: ColumnSpec = { name: 'author_id', kind: 'reference', nullable: true }
      const defaults: ColumnSpec[] = [
        { name: 'views', kind: 'integer', default: 0 },
        { name: 'price', kind: 'decimal', default: '1.50' },
        { name: 'state', kind: 'string', length: 20, default: "it's new" },
        { name: 'notes', kind: 'text', default: 'long' },
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
      assert.deepEqual(await select(driver, wanted), [
        {
          id: 1,
          title: 'kept',
          author_id: null,
          views: 0,
          price: 1.5,
          state: "it's new",
          notes: 'long',
          isOpen: true,
          since: '2026-01-01T00:00:00.000Z',
        },
      ])
      const author1 = await insert(driver, authors, { name: 'Ada' })
      await insert(driver, wanted, { title: 'owned', author_id: author1 })
      await driver.run(driver.prepare(sql`delete from authors`))
      assert.equal((await select(driver, wanted)).length, 1)
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
      const first = await insert(driver, required, { title: 'a' })
      const last = await insert(driver, required, { title: 'b' })
      await insert(driver, comments, { article_id: first })
      await driver.run(driver.prepare(sql`delete from articles where id = ${last}`))
      const relaxed = articles([title], { indexes: [{ columns: ['title'], type: 'unique' }] })
      const { applied } = await sync(driver, [relaxed, comments])
      assert.ok(applied.includes('safe make-nullable articles.title'))
      assert.equal((await select(driver, comments)).length, 1)
      assert.equal(await insert(driver, relaxed, { title: null }), last + 1)
      await assert.rejects(async () => insert(driver, relaxed, { title: 'a' }), {
        kind: 'unique',
        columns: ['title'],
      })
      await driver.run(driver.prepare(sql`delete from articles where id = ${first}`))
      assert.equal((await select(driver, comments)).length, 0)
      assert.deepEqual(await preview(driver, [relaxed, comments]), [])
    })

    it('renames a column with its data, index and reference', async () => {
      const before = articles([title, { name: 'writer_id', kind: 'reference', nullable: true }], {
        indexes: [{ columns: ['title'], type: 'unique' }],
        references: [{ column: 'writer_id', table: 'authors', onDelete: 'restrict' }],
      })
      const driver = await open([before, authors])
      const author = await insert(driver, authors, { name: 'Ada' })
      await insert(driver, before, { title: 'kept', writer_id: author })
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
      assert.deepEqual(await select(driver, renamed), [{ id: 1, headline: 'kept', author_id: author }])
      await assert.rejects(async () => insert(driver, renamed, { headline: 'kept' }), {
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
      await insert(driver, before, {
        title: 'a',
        code: -7,
        amount: 9007199254740991,
        day: '2026-01-31',
        note: 'n',
      })
      await insert(driver, before, { title: null })
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
      assert.deepEqual(await select(driver, wider), [
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
      await insert(driver, wider, { title: 'ü'.repeat(200), note: 'x'.repeat(1_000) })
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
      const owner = await insert(driver, authors, { name: 'Ada' })
      for (const name of ['a', 'b']) await insert(driver, after, { title: name, author_id: owner })
      await driver.run(driver.prepare(sql`delete from authors`))
      assert.deepEqual(
        (await select(driver, after)).map((row) => row.author_id),
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
      const inserted = await insert(driver, table, row)
      assert.deepEqual(await select(driver, table), [{ id: inserted, ...row }])
      await assert.rejects(async () => insert(driver, table, row), {
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
      await insert(driver, table, { title: `${long}a`, body: 'x'.repeat(300_000) })
      await insert(driver, table, { title: `${long}b`, body: 'X'.repeat(300_000) })
      await assert.rejects(async () => insert(driver, table, { title: `${long}a` }), {
        kind: 'unique',
        columns: ['title'],
      })
      assert.deepEqual(await preview(driver, [table]), [])
    })
  })

  describe('changes that lose something', () => {
    it('keeps columns and tables that are no longer declared, and lists them', async () => {
      const before = articles([title, { name: 'body', kind: 'text' }], {
        indexes: [{ columns: ['body', 'title'], type: 'index' }],
      })
      const driver = await open([before, authors])
      await insert(driver, before, { title: 'a', body: 'text' })
      const after = articles([title])
      const { applied, blocked } = await sync(driver, [after])
      assert.deepEqual(applied, ['safe drop-index articles.body,title', 'safe make-nullable articles.body'])
      assert.deepEqual(blocked, ['blocked drop-column articles.body', 'blocked drop-table authors'])
      await insert(driver, after, { title: 'b' })
      assert.deepEqual((await sync(driver, [after])).blocked, blocked)
      assert.deepEqual(await preview(driver, [after]), blocked)
      assert.deepEqual(
        (await select(driver, before)).map((row) => row.body),
        ['text', null],
      )
    })

    it('drops them on request, after a copy', async () => {
      const before = articles(
        [title, { name: 'body', kind: 'text' }, { name: 'author_id', kind: 'reference', nullable: true }],
        {
          references: [{ column: 'author_id', table: 'authors', onDelete: 'restrict' }],
          indexes: [{ columns: ['body'], type: 'unique' }],
        },
      )
      const driver = await open([before, authors])
      const author = await insert(driver, authors, { name: 'Ada' })
      await insert(driver, before, { title: 'a', body: 'text', author_id: author })
      const after = articles([title])
      await sync(driver, [after])
      const { applied, blocked } = await force(driver, [after])
      assert.deepEqual(blocked, [])
      assert.deepEqual(await preview(driver, [after]), [])
      assert.deepEqual(applied.map(words).sort(), [
        'blocked drop-column articles.author_id',
        'blocked drop-column articles.body',
        'blocked drop-table authors',
      ])
      const backups = new Map(applied.map((each) => [words(each), each.backup ?? '']))
      const read = async (change: string) =>
        driver.all(driver.prepare(sql`select * from ${sql.identifier(backups.get(change) ?? '')}`))
      assert.deepEqual(await read('blocked drop-column articles.body'), [{ id: 1, body: 'text' }])
      assert.deepEqual(await read('blocked drop-table authors'), [{ id: author, name: 'Ada' }])
      await assert.rejects(async () => select(driver, authors))
      assert.deepEqual(await sync(driver, [after, authors]), {
        applied: ['safe create-table authors'],
        blocked: [],
      })
    })

    it('leaves tables of plugins alone, as their plugin may be switched off', async () => {
      const driver = await open([
        authors,
        { ...authors, name: 'svc_things' },
        { ...authors, name: 'x_things' },
      ])
      assert.deepEqual(await sync(driver, [authors]), { applied: [], blocked: [] })
    })

    it('takes a column up again that was not declared for a while', async () => {
      const before = articles([title, { name: 'body', kind: 'text', nullable: true }])
      const driver = await open([before])
      await insert(driver, before, { body: 'text' })
      await sync(driver, [articles([title])])
      assert.deepEqual(await sync(driver, [before]), { applied: [], blocked: [] })
      assert.equal((await select(driver, before))[0]?.body, 'text')
    })

    it('adds a required column as nullable while rows have no value for it', async () => {
      const driver = await open([articles([title])])
      await insert(driver, articles([title]), { title: 'a' })
      const wanted = articles([title, { name: 'slug', kind: 'string' }])
      assert.deepEqual(await sync(driver, [wanted]), {
        applied: ['safe add-column articles.slug'],
        blocked: ['blocked make-required articles.slug'],
      })
      await driver.run(driver.prepare(sql`update articles set slug = 'a'`))
      assert.deepEqual(await preview(driver, [wanted]), ['safe make-required articles.slug'])
      assert.deepEqual((await syncOnDemand(driver, [wanted], { mayLose: false })).blocked, [])
      await assert.rejects(async () => insert(driver, wanted, { title: 'b' }))
    })

    it('makes a column required at once where there are no rows', async () => {
      const driver = await open([articles([title])])
      const wanted = articles([
        { ...title, nullable: false },
        { name: 'slug', kind: 'string' },
      ])
      assert.deepEqual((await sync(driver, [wanted])).blocked, [])
      await assert.rejects(async () => insert(driver, wanted, { title: 'b' }))
    })

    it('fills a required column on request', async () => {
      const driver = await open([articles([title])])
      await insert(driver, articles([title]), { title: null })
      const wanted = articles([{ ...title, nullable: false }])
      assert.deepEqual((await sync(driver, [wanted])).blocked, ['blocked make-required articles.title'])
      assert.deepEqual((await force(driver, [wanted])).blocked, [])
      assert.equal((await select(driver, wanted))[0]?.title, '')
    })

    it('leaves a new unique index out while rows have the same values, and clears them on request', async () => {
      const driver = await open([articles([title])])
      for (const name of ['a', 'a', 'b', null, null]) await insert(driver, articles([title]), { title: name })
      const wanted = articles([title], { indexes: [{ columns: ['title'], type: 'unique' }] })
      const blocked = ['blocked create-unique-index articles.title']
      assert.deepEqual(await sync(driver, [wanted]), { applied: [], blocked })
      await insert(driver, wanted, { title: 'a' })
      const forced = await force(driver, [wanted])
      assert.deepEqual(forced.blocked, [])
      assert.deepEqual(
        (await select(driver, wanted)).map((row) => row.title),
        ['a', null, 'b', null, null, null],
      )
      const backup = sql.identifier(forced.applied[0]?.backup ?? '')
      assert.deepEqual(await driver.all(driver.prepare(sql`select id from ${backup} order by id`)), [
        { id: 2 },
        { id: 6 },
      ])
      await assert.rejects(async () => insert(driver, wanted, { title: 'a' }), { kind: 'unique' })
    })

    it('leaves a narrower type out, and converts on request', async () => {
      const before = articles([title, { name: 'code', kind: 'string', nullable: true }])
      const driver = await open([before])
      await insert(driver, before, { title: 'x'.repeat(100), code: '12' })
      await insert(driver, before, { title: 'short', code: 'twelve' })
      const wanted = articles([
        { ...title, length: 50 },
        { name: 'code', kind: 'integer', nullable: true },
      ])
      const blocked = ['blocked convert-column articles.title', 'blocked convert-column articles.code']
      assert.deepEqual(await sync(driver, [wanted]), { applied: [], blocked })
      assert.deepEqual(await preview(driver, [wanted]), blocked)
      assert.deepEqual((await force(driver, [wanted])).blocked, [])
      assert.deepEqual(await preview(driver, [wanted]), [])
      assert.deepEqual(await select(driver, wanted), [
        { id: 1, title: 'x'.repeat(50), code: 12 },
        { id: 2, title: 'short', code: null },
      ])
    })

    it('leaves a reference out while rows refer to nothing, and clears them on request', async () => {
      const author: ColumnSpec = { name: 'author_id', kind: 'reference', nullable: true }
      const driver = await open([authors, articles([author])])
      await insert(driver, articles([author]), { author_id: 99 })
      const wanted = articles([author], {
        references: [{ column: 'author_id', table: 'authors', onDelete: 'cascade' }],
      })
      assert.deepEqual((await sync(driver, [authors, wanted])).blocked, [
        'blocked add-reference articles.author_id',
      ])
      assert.deepEqual((await force(driver, [authors, wanted])).blocked, [])
      assert.deepEqual(await select(driver, wanted), [{ id: 1, author_id: null }])
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

    it('sync once when they start together', async () => {
      const { url, drop } = await database.createUrl()
      closers.push(drop)
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

    it('go on from where one was killed', async () => {
      const { url, drop } = await database.createUrl()
      closers.push(drop)
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
