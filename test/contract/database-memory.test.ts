import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ColumnSpec, TableSpec } from '../../core-plugins/foundation/database/database.ts'
import type { LiveSchema } from '../../core-plugins/foundation/database/sync/live-schema.ts'
import { appliedTables, remember } from '../../core-plugins/foundation/database/sync/memory.ts'
import type { MadeTable, Mirror } from '../../core-plugins/foundation/database/sync/mirror.ts'
import { indexName } from '../../core-plugins/foundation/database/sync/names.ts'
import { blocked, type Step } from '../../core-plugins/foundation/database/sync/step.ts'

const id: ColumnSpec = { name: 'id', kind: 'id' }

const text = (name: string): ColumnSpec => ({ name, kind: 'text', nullable: true })

const tableOf = (name: string, columns: readonly ColumnSpec[], more: Partial<MadeTable> = {}): MadeTable => ({
  ...{ name, columns: [id, ...columns] },
  ...more,
})

const namesOf = ({ columns }: TableSpec) => columns.map(({ name }) => name)

const reference = (column: string) => ({ column, table: 'authors', onDelete: 'restrict' }) as const

const mirror: Mirror = { column: 'headline', earlier: 'title', since: '2026-01-31T08:00:00.000Z' }

describe('what is remembered of a step', () => {
  const others = tableOf('others', [text('title')])
  const after = (step: Step, table: MadeTable): MadeTable => {
    const [found, untouched] = remember([step], [table, others])
    assert.equal(untouched, others)
    assert.ok(found)
    return found
  }
  const rename = (mirrored: readonly string[]): Step => ({
    ...{ change: 'rename-column', table: 'articles', from: 'title', column: 'headline', mirrored },
  })
  const before = tableOf('articles', [text('title'), text('body')], {
    references: [reference('title'), reference('body')],
  })

  it('that renames a column is its new name, in references as well', () => {
    const renamed = after(rename([]), before)
    assert.deepEqual(namesOf(renamed), ['id', 'headline', 'body'])
    assert.deepEqual(renamed.references, [reference('headline'), reference('body')])
    assert.equal(renamed.mirrors, undefined)
  })

  it('that leaves the earlier name beside it is both, and since when', () => {
    const early = new Date().toISOString()
    const { mirrors = [], ...renamed } = after(rename(['title']), { ...before, mirrors: [mirror] })
    assert.deepEqual(namesOf(renamed), ['id', 'title', 'body', 'headline'])
    assert.deepEqual(renamed.references, before.references)
    assert.equal(mirrors[0], mirror)
    const [, { since, ...added } = mirror] = mirrors
    assert.deepEqual(added, { column: 'headline', earlier: 'title' })
    assert.ok(since >= early && since <= new Date().toISOString())
  })

  it('that ends a mirror is neither the mirror nor the column that went', () => {
    const other = { ...mirror, earlier: 'name' }
    const both = tableOf('articles', [text('title'), text('headline')], { mirrors: [mirror, other] })
    const drop: Step = { change: 'drop-column', table: 'articles', column: text('title') }
    const ended = { column: 'headline', earlier: ['title', 'name'] }
    const left = after({ ...drop, mirror: { ended, rest: ['name'] } }, both)
    assert.deepEqual([namesOf(left), left.mirrors], [['id', 'headline'], [other]])
    assert.equal(after(drop, both), both)
  })

  it('that gives a column another type is that type', () => {
    const step = { table: 'articles', column: { name: 'title', kind: 'string', length: 9 } } as const
    for (const change of ['widen-column', 'convert-column'] as const) {
      const retyped = after({ ...step, change, from: text('title') }, before)
      assert.deepEqual(retyped.columns, [id, step.column, text('body')])
    }
  })

  it('that fills a column is a column that is known, and used again', () => {
    const fill: Step = { change: 'fill-column', table: 'articles', column: 'summary', from: 'body' }
    assert.deepEqual(after(fill, before).columns, [id, text('title'), text('body'), text('summary')])
    const unused = tableOf('articles', [text('body'), text('summary')], { unused: ['title', 'summary'] })
    const used = after(fill, unused)
    assert.deepEqual([namesOf(used), used.unused], [['id', 'body', 'summary'], ['title']])
  })

  it('that the types of the database show is nothing', () => {
    const add: Step = { change: 'add-column', table: 'articles', column: text('summary') }
    assert.equal(after(add, before), before)
  })
})

describe('what is remembered of a sync', () => {
  /** Tables with nothing but these columns and indexes. */
  const liveWith = (tables: Readonly<Record<string, readonly string[]>>, ...indexes: string[]): LiveSchema =>
    new Map(
      Object.entries(tables).map(([name, columns]) => [
        name,
        {
          ...{ name, primaryKey: ['id'], references: [] },
          columns: new Map(
            columns.map((column) => [column, { name: column, type: 'text', nullable: true, default: null }]),
          ),
          indexes: new Map(indexes.map((index) => [index, { name: index, columns: [] }])),
        },
      ]),
    )

  const required: ColumnSpec = { name: 'body', kind: 'text' }

  it('is what is declared and there, and what earlier syncs have made and is there still', () => {
    const index = { columns: ['title'], type: 'index' } as const
    const declared = tableOf('articles', [text('title'), text('missing')], {
      indexes: [index, { ...index, type: 'unique' }],
    })
    const earlier = tableOf('articles', [{ ...text('title'), kind: 'string' }, required, text('gone')])
    const old = tableOf('old', [required])
    const live = liveWith(
      { articles: ['id', 'title', 'body'], old: ['id', 'body'] },
      indexName('articles', index),
    )
    const made = appliedTables(
      [declared, tableOf('unmade', [])],
      [earlier, old, tableOf('lost', [])],
      live,
      [],
    )
    assert.deepEqual(
      made.map(({ name, columns, indexes }) => ({ name, columns, indexes })),
      [
        { name: 'articles', columns: [id, text('title'), text('body')], indexes: [index] },
        { name: 'old', columns: [id, required], indexes: [] },
      ],
    )
  })

  it('is the earlier kind of a column that waits for its conversion', () => {
    const from: ColumnSpec = { name: 'title', kind: 'integer' }
    const step: Step = { change: 'convert-column', table: 'articles', from, column: text('title') }
    const rest = [blocked(step, 'lossy'), blocked({ ...step, change: 'make-required' }, 'has nulls')]
    const live = liveWith({ articles: ['id', 'title'], others: ['id', 'title'] })
    const tables = [tableOf('articles', [text('title')]), tableOf('others', [text('title')])]
    const made = appliedTables(tables, [], live, rest)
    assert.deepEqual(
      made.map(({ columns }) => columns[1]),
      [from, text('title')],
    )
  })

  it('is a mirror with what refers through it, while both columns are there', () => {
    const declared = tableOf('articles', [text('headline')], { references: [reference('headline')] })
    const earlier = tableOf('articles', [text('title'), text('headline'), text('body')], {
      references: [reference('title'), reference('headline'), reference('body')],
      mirrors: [mirror],
    })
    const mirroredWith = (...columns: string[]) => {
      const [made] = appliedTables([declared], [earlier], liveWith({ articles: ['id', ...columns] }), [])
      return [made?.mirrors, made?.references?.map(({ column }) => column)]
    }
    assert.deepEqual(mirroredWith('title', 'headline', 'body'), [[mirror], ['headline', 'title']])
    assert.deepEqual(mirroredWith('headline', 'body'), [undefined, ['headline']])
    assert.deepEqual(mirroredWith('title', 'body'), [undefined, ['headline']])
  })
})
