import assert from 'node:assert/strict'
import { describe, it, mock } from 'node:test'
import type { ColumnSpec, IndexSpec, TableSpec } from '../../core-plugins/foundation/database/database.ts'
import { postgresSchemaDialect } from '../../core-plugins/foundation/database/dialects/postgres/postgres-schema.ts'
import { conversionOf, convertValue } from '../../core-plugins/foundation/database/sync/conversion.ts'
import type {
  LiveReference,
  LiveSchema,
  LiveTable,
} from '../../core-plugins/foundation/database/sync/live-schema.ts'
import { indexesOf, indexName } from '../../core-plugins/foundation/database/sync/names.ts'
import { planSync } from '../../core-plugins/foundation/database/sync/plan.ts'
import { withProgress } from '../../core-plugins/foundation/database/sync/progress.ts'
import type { Question } from '../../core-plugins/foundation/database/sync/question.ts'
import { hashOf } from '../../core-plugins/foundation/database/sync/schema-state.ts'
import { describeStep } from '../../core-plugins/foundation/database/sync/step.ts'
import { recordingLog } from '../support/recording-log.ts'

const id: ColumnSpec = { name: 'id', kind: 'id' }

const word: ColumnSpec = { name: 'word', kind: 'string', length: 50, nullable: true }

const tableOf = (columns: readonly ColumnSpec[], more: Partial<TableSpec> = {}): TableSpec => ({
  name: 'words',
  columns: [id, ...columns],
  ...more,
})

/** The table as a sync would have made it. */
function liveOf(table: TableSpec): LiveTable {
  const nullable = (name: string) => table.columns.find((column) => column.name === name)?.nullable === true
  const columns = table.columns.map((column) => ({
    name: column.name,
    type: postgresSchemaDialect.columnType(column),
    nullable: column.nullable === true,
    default: null,
  }))
  const indexes = indexesOf(table).map((index) => ({
    name: indexName(table.name, index),
    columns: index.columns,
    nullsFirst: index.columns.map(nullable),
  }))
  return {
    name: table.name,
    columns: new Map(columns.map((column) => [column.name, column])),
    primaryKey: table.primaryKey ?? ['id'],
    indexes: new Map(indexes.map((index) => [index.name, index])),
    references: table.references ?? [],
  }
}

const schemaOf = (...tables: LiveTable[]): LiveSchema => new Map(tables.map((table) => [table.name, table]))

interface Case {
  readonly declared: readonly TableSpec[]
  readonly last?: readonly TableSpec[]
  readonly live: LiveSchema
  readonly there?: readonly Question['about'][]
}

function plan({ declared, last = [], live, there = [] }: Case): string[] {
  const answer = ({ about }: Question) => Number(there.includes(about))
  const dialect = postgresSchemaDialect
  return planSync({ declared, last, live, dialect, answer, canMirror: false, mayEnd: () => false })
    .map(describeStep)
    .map(
      ({ change, table, column, safe }) =>
        `${safe ? '' : '!'}${change} ${table}${column === null ? '' : `.${column}`}`,
    )
}

describe('a plan', () => {
  const before = tableOf([word], { indexes: [{ columns: ['word'], type: 'index' }] })

  it('is empty where everything is as declared, whatever is remembered', () => {
    for (const last of [[], [before], [tableOf([])]]) {
      assert.deepEqual(plan({ declared: [before], last, live: schemaOf(liveOf(before)) }), [])
    }
  })

  it('makes a table before what refers to it', () => {
    const child: TableSpec = {
      name: 'children',
      columns: [id, { name: 'word_id', kind: 'reference' }],
      references: [{ column: 'word_id', table: 'words', onDelete: 'cascade' }],
    }
    const steps = plan({ declared: [child, before], live: schemaOf() })
    assert.deepEqual(steps, ['create-table children', 'create-table words', 'add-reference children.word_id'])
  })

  it('makes a table again that somebody has dropped', () => {
    assert.deepEqual(plan({ declared: [before], last: [before], live: schemaOf() }), ['create-table words'])
  })

  it('leaves alone what was never ours', () => {
    const other = liveOf({ name: 'others', columns: [id] })
    const live = liveOf(tableOf([word, { name: 'extra', kind: 'text' }], { indexes: before.indexes ?? [] }))
    assert.deepEqual(plan({ declared: [before], last: [before], live: schemaOf(live, other) }), [])
  })

  it('lists what is no longer declared, and makes it harmless', () => {
    const last = tableOf([word, { name: 'extra', kind: 'text' }], {
      indexes: [
        { columns: ['word'], type: 'index' },
        { columns: ['extra'], type: 'unique' },
      ],
    })
    assert.deepEqual(plan({ declared: [before], last: [last], live: schemaOf(liveOf(last)) }), [
      'drop-index words.extra',
      'make-nullable words.extra',
      '!drop-column words.extra',
    ])
    assert.deepEqual(plan({ declared: [], last: [before], live: schemaOf(liveOf(before)) }), [
      '!drop-table words',
    ])
  })

  it('renames only where the old column is there, and sets another one with the new name aside', () => {
    const renamed = tableOf([{ ...word, name: 'term', renamedFrom: 'word' }])
    const both = tableOf([word, { ...word, name: 'term' }])
    const live = liveOf(tableOf([word]))
    assert.deepEqual(plan({ declared: [renamed], live: schemaOf(live) }), ['rename-column words.term'])
    assert.deepEqual(plan({ declared: [renamed], live: schemaOf(liveOf(renamed)) }), [])
    assert.deepEqual(plan({ declared: [renamed], live: schemaOf(liveOf(tableOf([]))) }), [
      'add-column words.term',
    ])
    assert.deepEqual(plan({ declared: [renamed], last: [both], live: schemaOf(liveOf(both)) }), [
      'rename-column words.term@1',
    ])
    const swapped = tableOf([word, { ...word, name: 'term', renamedFrom: 'word' }])
    assert.deepEqual(plan({ declared: [swapped], live: schemaOf(live) }), ['add-column words.term'])
  })

  it('requires only what all rows have', () => {
    const required = tableOf([{ ...word, nullable: false }])
    const live = schemaOf(liveOf(tableOf([word])))
    assert.deepEqual(plan({ declared: [required], live }), ['make-required words.word'])
    assert.deepEqual(plan({ declared: [required], live, there: ['nulls'] }), ['!make-required words.word'])
    const added = tableOf([word, { name: 'rank', kind: 'integer' }])
    assert.deepEqual(plan({ declared: [added], live }), ['add-column words.rank'])
    assert.deepEqual(plan({ declared: [added], live, there: ['rows'] }), [
      'add-column words.rank',
      '!make-required words.rank',
    ])
    const defaulted = tableOf([word, { name: 'rank', kind: 'integer', default: 1 }])
    assert.deepEqual(plan({ declared: [defaulted], live, there: ['rows'] }), ['add-column words.rank'])
  })

  it('checks uniqueness and references by the rows', () => {
    const unique = tableOf([word], { indexes: [{ columns: ['word'], type: 'unique' }] })
    const live = schemaOf(liveOf(tableOf([word])))
    assert.deepEqual(plan({ declared: [unique], live }), ['create-unique-index words.word'])
    assert.deepEqual(plan({ declared: [unique], live, there: ['duplicates'] }), [
      '!create-unique-index words.word',
    ])
    const other: ColumnSpec = { name: 'other_id', kind: 'reference', nullable: true }
    const tied = tableOf([other], {
      references: [{ column: 'other_id', table: 'words', onDelete: 'set null' }],
    })
    const loose = schemaOf({ ...liveOf(tied), references: [] })
    assert.deepEqual(plan({ declared: [tied], live: loose }), ['add-reference words.other_id'])
    assert.deepEqual(plan({ declared: [tied], live: loose, there: ['orphans'] }), [
      '!add-reference words.other_id',
    ])
  })

  it('makes a reference anew that names another table, does something else, or has another name', () => {
    const wanted = { column: 'other_id', table: 'words', onDelete: 'set null' } as const
    const other: ColumnSpec = { name: 'other_id', kind: 'reference', nullable: true }
    const tied = tableOf([other], { references: [wanted] })
    const withLive = (changes: Partial<LiveReference>) =>
      plan({ declared: [tied], live: schemaOf({ ...liveOf(tied), references: [{ ...wanted, ...changes }] }) })
    assert.deepEqual(withLive({}), [])
    assert.deepEqual(withLive({ constraint: 'fk_words__other_id' }), [])
    for (const changes of [
      { table: 'others' },
      { onDelete: 'restrict' },
      { constraint: 'by_hand' },
    ] as const) {
      assert.deepEqual(withLive(changes), ['drop-reference words.other_id', 'add-reference words.other_id'])
    }
  })

  it('makes an index anew whose column can be null now, as its order is another', () => {
    const required = tableOf([{ ...word, nullable: false }], { indexes: before.indexes ?? [] })
    assert.deepEqual(plan({ declared: [before], last: [required], live: schemaOf(liveOf(required)) }), [
      'drop-index words.word',
      'make-nullable words.word',
      'create-index words.word',
    ])
  })

  it('does not touch a primary key', () => {
    const keyed: TableSpec = { name: 'words', columns: [word], primaryKey: ['word'] }
    assert.ok(
      plan({ declared: [keyed], live: schemaOf(liveOf(before)) }).includes('!change-primary-key words.word'),
    )
    const rank: ColumnSpec = { name: 'rank', kind: 'integer' }
    const pair: TableSpec = { name: 'words', columns: [word, rank], primaryKey: ['rank', 'word'] }
    assert.deepEqual(plan({ declared: [pair], live: schemaOf(liveOf(pair)) }), [])
    assert.deepEqual(
      plan({ declared: [{ ...pair, primaryKey: ['word', 'rank'] }], live: schemaOf(liveOf(pair)) }),
      ['!change-primary-key words.word,rank'],
    )
  })

  it('has an index for every reference, unless another one begins with it', () => {
    const links = (columns: readonly string[], indexes: readonly IndexSpec[] = []): TableSpec => ({
      name: 'links',
      columns: ['source', 'target', 'rank'].map((name) => ({ name, kind: 'reference' })),
      primaryKey: ['source', 'target'],
      references: columns.map((column) => ({ column, table: 'words', onDelete: 'cascade' })),
      indexes,
    })
    for (const [table, made] of [
      [links(['source']), []],
      [links(['target', 'rank']), ['create-index links.target', 'create-index links.rank']],
      [
        links(['target'], [{ columns: ['target', 'rank'], type: 'unique' }]),
        ['create-unique-index links.target,rank'],
      ],
      [
        links(['target'], [{ columns: ['rank', 'target'], type: 'unique' }]),
        ['create-unique-index links.rank,target', 'create-index links.target'],
      ],
      [
        links(['target'], [{ columns: ['target'], type: 'fulltext' }]),
        ['create-index links.target', 'create-index links.target'],
      ],
    ] as const) {
      const bare = { ...liveOf(table), indexes: new Map() }
      assert.deepEqual(plan({ declared: [table], live: schemaOf(bare) }), made)
    }
  })

  it('believes the database rather than its memory', () => {
    const wide = tableOf([{ ...word, length: 90 }])
    const live = schemaOf(liveOf(tableOf([{ ...word, length: 70 }])))
    assert.deepEqual(plan({ declared: [wide], last: [wide], live }), ['widen-column words.word'])
    const narrow = tableOf([{ ...word, length: 50 }])
    assert.deepEqual(plan({ declared: [narrow], last: [narrow], live }), ['!convert-column words.word'])
  })
})

describe('a conversion', () => {
  for (const [from, to, conversion] of [
    ['string(10)', 'string(10)', 'none'],
    ['string(10)', 'string(20)', 'widen'],
    ['string(20)', 'string(10)', 'lossy'],
    ['string(20)', 'text', 'widen'],
    ['text', 'string(20)', 'lossy'],
    ['integer', 'bigint', 'none'],
    ['bigint', 'integer', 'lossy'],
    ['integer', 'reference', 'none'],
    ['integer', 'decimal', 'rewrite'],
    ['bigint', 'decimal', 'rewrite'],
    ['decimal', 'integer', 'lossy'],
    ['integer', 'string(20)', 'rewrite'],
    ['integer', 'string(19)', 'lossy'],
    ['decimal', 'text', 'rewrite'],
    ['date', 'datetime', 'rewrite'],
    ['datetime', 'date', 'lossy'],
    ['boolean', 'string(5)', 'rewrite'],
    ['bigint', 'bigint', 'none'],
    ['bigint', 'id', 'lossy'],
    ['id', 'integer', 'none'],
    ['id', 'decimal', 'rewrite'],
    ['reference', 'bigint', 'none'],
    ['string', 'string(255)', 'none'],
    ['string', 'string(256)', 'widen'],
    ['boolean', 'string(4)', 'lossy'],
    ['boolean', 'integer', 'lossy'],
    ['boolean', 'decimal', 'lossy'],
    ['decimal', 'string(66)', 'lossy'],
    ['decimal', 'string(67)', 'rewrite'],
    ['id', 'string(19)', 'lossy'],
    ['reference', 'string(20)', 'rewrite'],
    ['date', 'string(9)', 'lossy'],
    ['date', 'string(10)', 'rewrite'],
    ['date', 'decimal', 'lossy'],
    ['datetime', 'string(23)', 'lossy'],
    ['datetime', 'string(24)', 'rewrite'],
    ['json', 'string', 'lossy'],
    ['json', 'text', 'lossy'],
    ['text', 'json', 'lossy'],
    ['text', 'integer', 'lossy'],
  ] as const) {
    it(`from ${from} to ${to} is ${conversion}`, () =>
      assert.equal(conversionOf(held(from), held(to)), conversion))
  }

  for (const [value, to, converted] of [
    ['héllo', 'string(3)', 'hél'],
    ['😀😀', 'string(1)', '😀'],
    [{ a: 1 }, 'text', '{"a":1}'],
    [' 12 ', 'integer', '12'],
    ['12.5', 'integer', null],
    ['99999999999999999', 'integer', null],
    ['99999999999999999', 'bigint', '99999999999999999'],
    ['12.5', 'decimal', '12.5'],
    ['1e5', 'decimal', null],
    [true, 'integer', '1'],
    [`${'9'.repeat(18)}`, 'bigint', '9'.repeat(18)],
    [`${'9'.repeat(19)}`, 'bigint', null],
    ['-9007199254740991', 'integer', '-9007199254740991'],
    ['9007199254740992', 'integer', null],
    ['x12', 'integer', null],
    ['12x', 'integer', null],
    [false, 'integer', '0'],
    [true, 'decimal', '1'],
    [' -1.50 ', 'decimal', '-1.50'],
    [`${'9'.repeat(35)}.${'9'.repeat(30)}`, 'decimal', `${'9'.repeat(35)}.${'9'.repeat(30)}`],
    ['9'.repeat(36), 'decimal', null],
    [`1.${'9'.repeat(31)}`, 'decimal', null],
    ['1.', 'decimal', null],
    ['1.5x', 'decimal', null],
    ['x1.5', 'decimal', null],
    ['x'.repeat(300), 'string', 'x'.repeat(255)],
    ['TRUE', 'boolean', true],
    ['1', 'boolean', true],
    ['False', 'boolean', false],
    [0, 'boolean', false],
    ['maybe', 'boolean', null],
    ['2026-01-31T08:00:00.000Z', 'date', '2026-01-31'],
    ['soon', 'date', null],
    ['2026-01-31', 'datetime', '2026-01-31T00:00:00.000Z'],
    [12, 'datetime', null],
    ['x', 'json', 'x'],
    [{ a: 1 }, 'json', { a: 1 }],
    [null, 'integer', null],
    [null, 'string(9)', null],
    [null, 'text', null],
    [null, 'boolean', null],
    [null, 'json', null],
  ] as const) {
    it(`makes ${JSON.stringify(converted)} of ${JSON.stringify(value)} as ${to}`, () =>
      assert.deepEqual(convertValue(value, held(to)), converted))
  }
})

function held(text: string): Pick<ColumnSpec, 'kind' | 'length'> {
  const [, kind = '', length] = /^(\w+)(?:\((\d+)\))?$/.exec(text) ?? []
  return { kind: kind as ColumnSpec['kind'], ...(length === undefined ? {} : { length: Number(length) }) }
}

describe('the hash of the tables', () => {
  it('is the same in whatever order they were contributed, and another for any change', () => {
    const other: TableSpec = { name: 'others', columns: [id] }
    const table = tableOf([word])
    assert.equal(hashOf([table, other]), hashOf([other, table]))
    const changed = [tableOf([]), tableOf([{ ...word, length: 51 }]), tableOf([word], { references: [] })]
    const hashes = [table, ...changed].map((each) => hashOf([each, other]))
    assert.equal(new Set(hashes).size, hashes.length)
  })
})

describe('the progress of a sync', () => {
  it('is told every ten seconds until the work has ended, also while nothing is heard of that', async () => {
    mock.timers.enable({ apis: ['setInterval', 'Date'] })
    try {
      const { log, lines } = recordingLog()
      let reports = 0
      const observer = {
        log,
        reportProgress() {
          reports += 1
        },
      }
      const work = withProgress(observer, async ({ began, wroteRows }) => {
        mock.timers.tick(10_000)
        assert.equal(reports, 1)
        began({ change: 'add-column', table: 'words', column: word })
        mock.timers.tick(9_999)
        assert.equal(reports, 2)
        mock.timers.tick(1)
        assert.equal(reports, 3)
        wroteRows(200)
        wroteRows(50)
        mock.timers.tick(10_000)
        began({ change: 'add-column', table: 'words', column: id })
        mock.timers.tick(10_000)
        return 'done'
      })
      assert.equal(await work, 'done')
      const told = reports
      mock.timers.tick(60_000)
      assert.equal(reports, told)
      assert.deepEqual(
        lines.map(({ level: _, message: __, ...fields }) => fields),
        [
          { seconds: 10 },
          { change: 'add-column', table: 'words', column: 'word', rows: 0, seconds: 20 },
          { change: 'add-column', table: 'words', column: 'word', rows: 250, seconds: 30 },
          { change: 'add-column', table: 'words', column: 'id', rows: 0, seconds: 40 },
        ],
      )
    } finally {
      mock.timers.reset()
    }
  })
})
