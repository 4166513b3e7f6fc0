import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ArchivedTable } from '../../core-plugins/administration/backups/archive/manifest.ts'
import { fitTables } from '../../core-plugins/administration/backups/restore/fit.ts'
import { inOrderOfReferences } from '../../core-plugins/administration/backups/restore/order.ts'
import type { SectionTable } from '../../core-plugins/administration/backups/section-tables.ts'
import type { ColumnKind, ColumnSpec } from '../../core-plugins/foundation/database/database.ts'
import type { Sections } from '../../core-plugins/foundation/sections/sections.ts'
import { all, archivedTable, manifestOf, sectionTable } from './table-specs.ts'

const id: ColumnSpec = { name: 'id', kind: 'id' }

const title: ColumnSpec = { name: 'title', kind: 'string', length: 80 }

const articles = (columns: readonly ColumnSpec[], more: Partial<SectionTable> = {}): SectionTable =>
  sectionTable('articles', { columns: [id, ...columns] }, { type: 'article', label: 'article', ...more })

const archived = (columns: readonly ColumnSpec[], more: Partial<ArchivedTable> = {}): ArchivedTable =>
  archivedTable('articles', [id, ...columns], { type: 'article', ...more })

const problemsOf = (table: ArchivedTable, running: readonly SectionTable[], sections: Sections = all) =>
  fitTables(manifestOf(table), running, sections).problems.map(({ path, code }) => `${code} ${path}`)

describe('the tables of an archive', () => {
  it('fit the same tables here, column by column', () => {
    const running = articles([{ name: 'rank', kind: 'integer', nullable: true, default: 3 }, title])
    const { tables, emptied, problems } = fitTables(
      manifestOf(archived([{ name: 'gone', kind: 'text' }, title], { filled: ['id', 'title'] })),
      [running],
      all,
    )
    assert.deepEqual([problems, emptied], [[], []])
    assert.equal(tables[0]?.target, running)
    assert.deepEqual(tables[0]?.columns, [
      { name: 'id', kind: 'id', length: 255, nullable: false, from: 0, default: null },
      { name: 'rank', kind: 'integer', length: 255, nullable: true, from: undefined, default: 3 },
      { name: 'title', kind: 'string', length: 80, nullable: false, from: 2, default: null },
    ])
  })

  it('of sections that are not restored are left alone, and those that it lacks are emptied', () => {
    const running = [
      articles([]),
      sectionTable('tags', { columns: [id] }),
      sectionTable('svc_media', { columns: [id] }, { section: 'media' }),
    ]
    const only = { ...all, media: false }
    const media = archivedTable('svc_media', [title], { section: 'media' })
    const fit = fitTables(manifestOf(archived([]), media), running, only)
    assert.deepEqual(
      fit.tables.map(({ target }) => target.name),
      ['articles'],
    )
    assert.deepEqual(
      fit.emptied.map(({ name }) => name),
      ['tags'],
    )
    assert.deepEqual(fit.problems, [])
  })

  it('that are not here are in the way when they have rows', () => {
    assert.deepEqual(problemsOf(archived([]), []), ['missingTable article'])
    assert.deepEqual(problemsOf(archived([], { type: null }), []), ['missingTable articles'])
    assert.deepEqual(problemsOf(archived([], { rows: 0 }), []), [])
    assert.deepEqual(problemsOf(archived([]), [], { ...all, content: false }), [])
  })

  it('are in the way when they mean something else here', () => {
    assert.deepEqual(problemsOf(archived([title], { type: 'page' }), [articles([])]), [
      'otherMeaning article',
    ])
    assert.deepEqual(problemsOf(archived([]), [articles([], { section: 'media' })]), ['otherMeaning article'])
  })

  it('are in the way with columns that hold something and are not here', () => {
    assert.deepEqual(problemsOf(archived([title]), [articles([])]), ['missingColumn article.title'])
    assert.deepEqual(problemsOf(archived([title], { filled: ['id'] }), [articles([])]), [])
  })

  it('are in the way without columns that are required here, if they have rows', () => {
    const required = (column: Partial<ColumnSpec>, table = archived([])) =>
      problemsOf(table, [articles([{ ...title, ...column }])])
    assert.deepEqual(required({}), ['required article.title'])
    assert.deepEqual(required({ default: null }), ['required article.title'])
    assert.deepEqual(required({ nullable: true }), [])
    assert.deepEqual(required({ default: '' }), [])
    assert.deepEqual(required({}, archived([], { rows: 0 })), [])
    assert.deepEqual(required({}, archived([title])), [])
  })

  it('are in the way with another key', () => {
    const pair = { columns: [title, { ...title, name: 'locale' }], primaryKey: ['title', 'locale'] }
    const links = archivedTable('links', pair.columns, { key: ['locale', 'title'] })
    assert.deepEqual(problemsOf(links, [sectionTable('links', pair)]), ['otherKey links'])
    assert.deepEqual(problemsOf({ ...links, key: ['title', 'locale'] }, [sectionTable('links', pair)]), [])
  })

  const kinds: readonly ColumnKind[] = [
    ...(['id', 'reference', 'integer', 'bigint', 'decimal'] as const),
    ...(['boolean', 'string', 'text', 'date', 'datetime', 'json'] as const),
  ]
  const taken: Readonly<Partial<Record<ColumnKind, readonly ColumnKind[]>>> = {
    string: ['text'],
    text: ['string'],
    integer: ['bigint', 'decimal', 'reference'],
    reference: ['integer', 'bigint'],
    bigint: ['decimal'],
  }
  for (const from of kinds) {
    it(`are taken with columns of kind ${from} only where those here hold the same values`, () => {
      for (const to of kinds) {
        const problems = problemsOf(archivedTable('things', [{ name: 'value', kind: from }]), [
          sectionTable('things', { columns: [{ name: 'value', kind: to }], primaryKey: ['value'] }),
        ])
        const isTaken = from === to || taken[from]?.includes(to) === true
        assert.deepEqual(problems, isTaken ? [] : ['otherKind things.value'], to)
      }
    })
  }
})

describe('the order in which tables are filled', () => {
  const table = (name: string, references: Readonly<Record<string, 'required' | 'optional'>>): SectionTable =>
    sectionTable(name, {
      columns: [
        id,
        ...Object.entries(references).map(
          ([target, need]): ColumnSpec => ({
            ...{ name: `${target}_id`, kind: 'reference', nullable: need === 'optional' },
          }),
        ),
      ],
      references: Object.keys(references).map((target) => ({
        ...{ column: `${target}_id`, table: target, onDelete: 'restrict' },
      })),
    })

  const order = (...tables: SectionTable[]) =>
    inOrderOfReferences(tables).map(({ table: { name }, deferred }) => [name, ...deferred].join(' '))

  it('has each after those that it refers to', () => {
    const comments = table('comments', { articles: 'required', users: 'optional' })
    const writings = table('articles', { users: 'required' })
    assert.deepEqual(order(comments, writings, table('users', {})), ['users', 'articles', 'comments'])
    assert.deepEqual(order(comments, writings), ['articles', 'comments'])
    assert.deepEqual(order(table('a', {}), table('b', {})), ['a', 'b'])
  })

  it('leaves columns for later that refer to the table itself or run in a circle, as few as can be', () => {
    assert.deepEqual(order(table('nodes', { nodes: 'optional' })), ['nodes nodes_id'])
    assert.deepEqual(order(table('a', { b: 'optional' }), table('b', { a: 'optional' })), ['a b_id', 'b'])
    assert.deepEqual(order(table('a', { b: 'required' }), table('b', { a: 'optional' })), ['b a_id', 'a'])
    assert.deepEqual(
      order(
        table('a', { b: 'optional', c: 'optional' }),
        table('b', { a: 'optional', b: 'optional' }),
        table('c', { a: 'required' }),
      ),
      ['b a_id b_id', 'a c_id', 'c'],
    )
  })

  it('is none where required columns run in a circle', () => {
    const circle = [table('a', { b: 'required' }), table('b', { a: 'required' })]
    assert.throws(() => order(...circle), /a and others refer to each other in a circle of required columns/)
    assert.throws(() => order(table('a', { a: 'required' })), /circle/)
  })
})
