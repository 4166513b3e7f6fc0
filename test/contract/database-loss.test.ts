import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import type { ColumnSpec, TableSpec } from '../../core-plugins/foundation/database/database.ts'
import type { Driver } from '../../core-plugins/foundation/database/driver.ts'
import { type AppliedChange, syncOnDemand } from '../../core-plugins/foundation/database/sync/synchronize.ts'
import { eachDatabase } from '../support/databases.ts'
import { insertRow, selectRows } from '../support/table-rows.ts'
import { articles, authors, createSyncWorld, id, title, words } from './sync-world.ts'

eachDatabase((database) => {
  const { open, sync, force, preview } = createSyncWorld(database)

  /** The rows that a change has put aside. */
  const copyOf = (driver: Driver, { backup = '' }: Pick<AppliedChange, 'backup'> = {}) =>
    driver.all(driver.prepare(sql`select * from ${sql.identifier(backup)} order by id`))

  const indexesOf = async (driver: Driver) => {
    const live = await driver.schema.inspect((connection) => connection.introspect())
    return [...(live.get('articles')?.indexes.keys() ?? [])].filter((name) => /^(ix|ux)_/.test(name)).sort()
  }

  describe('changes that lose something', () => {
    it('keeps columns and tables that are no longer declared, and lists them', async () => {
      const before = articles([title, { name: 'body', kind: 'text' }], {
        indexes: [{ columns: ['body', 'title'], type: 'index' }],
      })
      const driver = await open([before, authors])
      await insertRow(driver, before, { title: 'a', body: 'text' })
      const after = articles([title])
      const { applied, blocked } = await sync(driver, [after])
      assert.deepEqual(applied, ['safe drop-index articles.body,title', 'safe make-nullable articles.body'])
      assert.deepEqual(blocked, ['blocked drop-column articles.body', 'blocked drop-table authors'])
      await insertRow(driver, after, { title: 'b' })
      assert.deepEqual((await sync(driver, [after])).blocked, blocked)
      assert.deepEqual(await preview(driver, [after]), blocked)
      assert.deepEqual(
        (await selectRows(driver, before)).map((row) => row.body),
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
      const author = await insertRow(driver, authors, { name: 'Ada' })
      await insertRow(driver, before, { title: 'a', body: 'text', author_id: author })
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
      await assert.rejects(async () => selectRows(driver, authors))
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
      await insertRow(driver, before, { body: 'text' })
      await sync(driver, [articles([title])])
      assert.deepEqual(await sync(driver, [before]), { applied: [], blocked: [] })
      assert.equal((await selectRows(driver, before))[0]?.body, 'text')
    })

    it('adds a required column as nullable while rows have no value for it', async () => {
      const driver = await open([articles([title])])
      await insertRow(driver, articles([title]), { title: 'a' })
      const wanted = articles([title, { name: 'slug', kind: 'string' }])
      assert.deepEqual(await sync(driver, [wanted]), {
        applied: ['safe add-column articles.slug'],
        blocked: ['blocked make-required articles.slug'],
      })
      await driver.run(driver.prepare(sql`update articles set slug = 'a'`))
      assert.deepEqual(await preview(driver, [wanted]), ['safe make-required articles.slug'])
      assert.deepEqual((await syncOnDemand(driver, [wanted], {})).blocked, [])
      await assert.rejects(async () => insertRow(driver, wanted, { title: 'b' }))
    })

    it('makes a column required at once where there are no rows', async () => {
      const driver = await open([articles([title])])
      const wanted = articles([
        { ...title, nullable: false },
        { name: 'slug', kind: 'string' },
      ])
      assert.deepEqual((await sync(driver, [wanted])).blocked, [])
      await assert.rejects(async () => insertRow(driver, wanted, { title: 'b' }))
    })

    it('fills a required column on request', async () => {
      const driver = await open([articles([title])])
      await insertRow(driver, articles([title]), { title: null })
      const wanted = articles([{ ...title, nullable: false }])
      assert.deepEqual((await sync(driver, [wanted])).blocked, ['blocked make-required articles.title'])
      assert.deepEqual((await force(driver, [wanted])).blocked, [])
      assert.equal((await selectRows(driver, wanted))[0]?.title, '')
    })

    it('leaves a new unique index out while rows have the same values, and clears them on request', async () => {
      const driver = await open([articles([title])])
      for (const name of ['a', 'a', 'b', null, null])
        await insertRow(driver, articles([title]), { title: name })
      const wanted = articles([title], { indexes: [{ columns: ['title'], type: 'unique' }] })
      const blocked = ['blocked create-unique-index articles.title']
      assert.deepEqual(await sync(driver, [wanted]), { applied: [], blocked })
      assert.deepEqual(await indexesOf(driver), ['ix_articles__title'])
      await insertRow(driver, wanted, { title: 'a' })
      assert.deepEqual(await preview(driver, [wanted]), blocked)
      const forced = await force(driver, [wanted])
      assert.deepEqual(forced.blocked, [])
      assert.deepEqual(await indexesOf(driver), ['ux_articles__title'])
      assert.deepEqual(
        (await selectRows(driver, wanted)).map((row) => row.title),
        ['a', null, 'b', null, null, null],
      )
      const backup = sql.identifier(forced.applied[0]?.backup ?? '')
      assert.deepEqual(await driver.all(driver.prepare(sql`select id from ${backup} order by id`)), [
        { id: 2 },
        { id: 6 },
      ])
      await assert.rejects(async () => insertRow(driver, wanted, { title: 'a' }), { kind: 'unique' })
    })

    it('has a plain index for as long as a unique one waits, whatever becomes of that', async () => {
      const code: ColumnSpec = { name: 'code', kind: 'string', nullable: true }
      const plain = articles([title, code])
      const wanted = articles([title, code], { indexes: [{ columns: ['code', 'title'], type: 'unique' }] })
      const waiting = async () => {
        const driver = await open([plain])
        for (const name of ['a', 'a']) await insertRow(driver, plain, { title: name, code: name })
        await sync(driver, [wanted])
        assert.deepEqual(await indexesOf(driver), ['ix_articles__code__title'])
        return driver
      }
      const same = { applied: [], blocked: [] }
      // It is not wanted any more.
      const taken = await waiting()
      assert.deepEqual(await sync(taken, [plain]), same)
      assert.deepEqual(await indexesOf(taken), [])
      // The rows were mended by hand.
      const mended = await waiting()
      await mended.run(mended.prepare(sql`update articles set code = 'b' where id = 1`))
      assert.deepEqual((await syncOnDemand(mended, [wanted], {})).blocked, [])
      assert.deepEqual(await indexesOf(mended), ['ux_articles__code__title'])
      // A plain one is declared.
      const kept = await waiting()
      const declared = articles([title, code], { indexes: [{ columns: ['code', 'title'], type: 'index' }] })
      assert.deepEqual(await sync(kept, [declared]), same)
      assert.deepEqual(await sync(kept, [{ ...declared, columns: [...declared.columns] }]), same)
      assert.deepEqual(await indexesOf(kept), ['ix_articles__code__title'])
      // Its column goes, or gets another name.
      const dropped = await waiting()
      assert.deepEqual((await force(dropped, [articles([title])])).blocked, [])
      assert.deepEqual(await indexesOf(dropped), [])
      const renamed = await waiting()
      const other = articles([title, { ...code, name: 'mark', renamedFrom: 'code' }], {
        indexes: [{ columns: ['mark', 'title'], type: 'unique' }],
      })
      assert.deepEqual((await sync(renamed, [other])).blocked, [
        'blocked create-unique-index articles.mark,title',
      ])
      assert.deepEqual(await indexesOf(renamed), ['ix_articles__mark__title'])
    })

    it('leaves a narrower type out, and converts on request', async () => {
      const before = articles([title, { name: 'code', kind: 'string', nullable: true }])
      const driver = await open([before])
      await insertRow(driver, before, { title: 'x'.repeat(100), code: '12' })
      await insertRow(driver, before, { title: 'short', code: 'twelve' })
      const wanted = articles([
        { ...title, length: 50 },
        { name: 'code', kind: 'integer', nullable: true },
      ])
      const blocked = ['blocked convert-column articles.title', 'blocked convert-column articles.code']
      assert.deepEqual(await sync(driver, [wanted]), { applied: [], blocked })
      assert.deepEqual(await preview(driver, [wanted]), blocked)
      assert.deepEqual((await force(driver, [wanted])).blocked, [])
      assert.deepEqual(await preview(driver, [wanted]), [])
      assert.deepEqual(await selectRows(driver, wanted), [
        { id: 1, title: 'x'.repeat(50), code: 12 },
        { id: 2, title: 'short', code: null },
      ])
    })

    it('leaves a reference out while rows refer to nothing, and clears them on request', async () => {
      const author: ColumnSpec = { name: 'author_id', kind: 'reference', nullable: true }
      const driver = await open([authors, articles([author])])
      await insertRow(driver, articles([author]), { author_id: 99 })
      const wanted = articles([author], {
        references: [{ column: 'author_id', table: 'authors', onDelete: 'cascade' }],
      })
      assert.deepEqual((await sync(driver, [authors, wanted])).blocked, [
        'blocked add-reference articles.author_id',
      ])
      assert.deepEqual((await force(driver, [authors, wanted])).blocked, [])
      assert.deepEqual(await selectRows(driver, wanted), [{ id: 1, author_id: null }])
    })

    it('deletes rows whose required reference points nowhere, after a copy of them', async () => {
      const author: ColumnSpec = { name: 'author_id', kind: 'reference' }
      const driver = await open([authors, articles([title, author])])
      const ada = await insertRow(driver, authors, { name: 'Ada' })
      await insertRow(driver, articles([title, author]), { title: 'lost', author_id: ada + 99 })
      await insertRow(driver, articles([title, author]), { title: 'kept', author_id: ada })
      const wanted = articles([title, author], {
        references: [{ column: 'author_id', table: 'authors', onDelete: 'cascade' }],
      })
      const { applied, blocked } = await force(driver, [authors, wanted])
      assert.deepEqual(blocked, [])
      assert.deepEqual(await selectRows(driver, wanted), [{ id: 2, title: 'kept', author_id: ada }])
      const lost = applied.find(({ change }) => change === 'add-reference')
      assert.deepEqual(await copyOf(driver, lost), [{ id: 1, title: 'lost', author_id: ada + 99 }])
    })

    it('drops a table that refers to itself and that others refer to, of plugins that are off as well', async () => {
      const parent: ColumnSpec = { name: 'parent_id', kind: 'reference', nullable: true }
      const tree: TableSpec = {
        name: 'nodes',
        columns: [id, parent],
        references: [{ column: 'parent_id', table: 'nodes', onDelete: 'restrict' }],
      }
      const leaf = articles([{ ...parent, name: 'node_id' }], {
        references: [{ column: 'node_id', table: 'nodes', onDelete: 'restrict' }],
      })
      const driver = await open([tree, leaf, { ...leaf, name: 'x_leaves' }])
      await insertRow(driver, tree, { parent_id: null })
      await insertRow(driver, tree, { parent_id: 1 })
      await insertRow(driver, leaf, { node_id: 2 })
      await insertRow(driver, { ...leaf, name: 'x_leaves' }, { node_id: 2 })
      const { applied, blocked } = await force(driver, [articles([])])
      assert.deepEqual(blocked, [])
      const dropped = applied.find(({ change }) => change === 'drop-table')
      assert.deepEqual(await copyOf(driver, dropped), [
        { id: 1, parent_id: null },
        { id: 2, parent_id: 1 },
      ])
      assert.deepEqual(await preview(driver, [articles([])]), [])
      assert.deepEqual(await selectRows(driver, articles([])), [{ id: 1 }])
      assert.deepEqual(await selectRows(driver, { ...leaf, name: 'x_leaves' }), [{ id: 1, node_id: 2 }])
    })

    it('takes rows for the same that have the same in all columns, and none of them empty', async () => {
      const slug: ColumnSpec = { name: 'slug', kind: 'string', length: 20 }
      const locale: ColumnSpec = { name: 'locale', kind: 'string', length: 5, nullable: true }
      const driver = await open([articles([slug, locale])])
      for (const [word, language] of [
        ['a', 'en'],
        ['a', 'de'],
        ['b', 'en'],
        ['a', null],
        ['a', null],
        ['a', 'en'],
      ] as const) {
        await insertRow(driver, articles([slug, locale]), { slug: word, locale: language })
      }
      const wanted = articles([slug, locale], { indexes: [{ columns: ['slug', 'locale'], type: 'unique' }] })
      const { applied, blocked } = await force(driver, [wanted])
      assert.deepEqual(blocked, [])
      assert.deepEqual(
        (await selectRows(driver, wanted)).map((row) => row.locale),
        ['en', 'de', 'en', null, null, null],
      )
      assert.deepEqual(await copyOf(driver, applied[0]), [{ id: 6, slug: 'a', locale: 'en' }])
    })

    it('fills columns that are to be required with their default, or else with what is emptiest', async () => {
      const columns: ColumnSpec[] = [
        { name: 'rank', kind: 'integer' },
        { name: 'views', kind: 'bigint' },
        { name: 'price', kind: 'decimal' },
        { name: 'is_open', kind: 'boolean' },
        { name: 'body', kind: 'text' },
        { name: 'day', kind: 'date' },
        { name: 'since', kind: 'datetime' },
        { name: 'data', kind: 'json' },
        { name: 'state', kind: 'string', length: 20, default: 'new' },
      ]
      const before = articles(columns.map((column) => ({ ...column, nullable: true, default: null })))
      const driver = await open([before])
      await insertRow(driver, before, { rank: 7 })
      await insertRow(driver, before, { state: 'old' })
      assert.deepEqual((await force(driver, [articles(columns)])).blocked, [])
      const empty = {
        ...{ views: 0, price: 0, is_open: false, body: '', day: '1970-01-01' },
        ...{ since: '1970-01-01T00:00:00.000Z', data: {} },
      }
      assert.deepEqual(await selectRows(driver, articles(columns)), [
        { id: 1, rank: 7, ...empty, state: 'new' },
        { id: 2, rank: 0, ...empty, state: 'old' },
      ])
      await assert.rejects(async () => insertRow(driver, articles(columns), { rank: null }))
    })

    it('leaves out what no loss makes possible, and goes on to list it', async () => {
      const slug: ColumnSpec = { name: 'slug', kind: 'string', length: 20 }
      const author: ColumnSpec = { name: 'author_id', kind: 'reference' }
      const locale: ColumnSpec = { name: 'locale', kind: 'string', length: 5 }
      const before = articles([slug, { ...author, nullable: true }])
      const pairs: TableSpec = {
        name: 'pairs',
        columns: [slug, locale, title],
        primaryKey: ['slug', 'locale'],
      }
      const driver = await open([before, pairs])
      for (const language of ['en', 'de']) {
        await insertRow(driver, before, { slug: 'same' })
        await insertRow(driver, pairs, { slug: 'same', locale: language, title: 'same' })
      }
      const wanted = [
        articles([slug, author], { indexes: [{ columns: ['slug'], type: 'unique' }] }),
        {
          ...pairs,
          primaryKey: ['locale', 'slug'],
          indexes: [{ columns: ['title'], type: 'unique' as const }],
        },
      ]
      const { applied, blocked } = await force(driver, wanted)
      assert.deepEqual(applied, [])
      assert.deepEqual(blocked.sort(), [
        'blocked change-primary-key pairs.locale,slug',
        'blocked create-unique-index articles.slug',
        'blocked create-unique-index pairs.title',
        'blocked make-required articles.author_id',
      ])
      assert.equal(await driver.tableCount(), 2)
    })
  })
})
