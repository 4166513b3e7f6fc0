import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import { compileModels, type EntryModel } from '../../core-plugins/entries/content/entry/entry-model.ts'
import { parseListQuery } from '../../core-plugins/entries/content/query/read-query.ts'
import { nowSlot } from '../../core-plugins/entries/content/query/visibility.ts'
import {
  bindSlots,
  type CompiledRead,
  compileList,
  limitSlot,
  offsetSlot,
} from '../../core-plugins/entries/content/read/compiled-read.ts'
import { createReadStages } from '../../core-plugins/entries/content/read/read-stages.ts'
import type { ShownValue } from '../../core-plugins/entries/content/shown-values.ts'
import { insertMany, type Statement } from '../../core-plugins/foundation/database/database.ts'
import type { CompiledStatement } from '../../core-plugins/foundation/database/statements/compiled-statement.ts'
import { indexName, primaryKeyName } from '../../core-plugins/foundation/database/sync/names.ts'
import { tablesOf } from '../../core-plugins/foundation/schemas/tables.ts'
import { blogSchemas } from '../content/blog-schemas.ts'
import { eachDatabase } from '../support/databases.ts'
import { type OpenTestDatabase, openTestDatabase } from '../support/open-test-database.ts'

const schemas = blogSchemas()
/** A slug is shown as an address, as the names of files are. */
const addresses: ShownValue = {
  of: (stored) => `/x/${stored}`,
  sql: (column) => sql`concat('/x/', ${column('slug')})`,
  indexed: (column, value) => sql`${column('slug')} = substr(${value}, 4)`,
}
const models = compileModels(schemas, {
  shownBy: ({ name }, field) => (name === 'article' && field === 'slug' ? addresses : undefined),
})
const article = models.get('article') as EntryModel
const readStages = createReadStages(() => [])
const rows = 4_000

const parseOptions = {
  ...{ models, schemas, defaultLimit: 25, maxLimit: 100, maxWeight: () => 1_000 },
  ...{
    draftsOf: () => undefined,
    metaOf: () => [],
    parametersOf: () => [],
    searchOf: () => undefined,
    standInsOf: () => [],
  },
}

const callers = { 'who see drafts': true, 'who do not': false }

const timeIndex = (column: string) =>
  indexName(article.type.table, {
    columns: [column, 'id', 'published_at'],
    descending: [column],
    type: 'index',
  })

const slugIndex = indexName(article.type.table, { columns: ['slug'], type: 'unique' })
const idIndex = indexName(article.type.table, { columns: ['id', 'published_at'], type: 'index' })
/** That of PostgreSQL, which holds ids and nothing else. */
const primaryKey = primaryKeyName(article.type.table)

/** MySQL goes through the rows in any case. */
const byId = {
  'sort=id&offset=3900': [idIndex, primaryKey],
  'sort=id:desc&offset=3900': [idIndex, primaryKey],
}

/** Lists whose page stands in one of these indexes, whatever is hidden. */
const newestFirst = {
  'sort=created_at:desc': [timeIndex('created_at')],
  'sort=created_at:desc&offset=3900': [timeIndex('created_at')],
  'sort=updated_at:desc': [timeIndex('updated_at')],
}

/** Filters through relations, on either side and turned round. */
const related = [
  'filters[author][name]=x',
  'filters[$not][author][name]=x',
  'filters[categories][name]=x',
  'filters[$not][categories][name]=x',
  'filters[categories]=7',
  'filters[$not][$or][0][categories][name]=x&filters[$not][$or][1][author][name]=x',
]

eachDatabase((database) => {
  const inIndexOrder = database.name === 'mysql' ? newestFirst : { ...byId, ...newestFirst }
  let opened: OpenTestDatabase

  before(async () => {
    opened = await openTestDatabase(database, tablesOf(schemas, []))
    const { driver } = opened
    const column = (column: string, kind: 'string' | 'datetime') => ({ column, kind }) as const
    const insert = insertMany<Record<string, string>>(driver, {
      table: article.type.table,
      columns: {
        title: column('title', 'string'),
        slug: column('slug', 'string'),
        createdAt: column('created_at', 'datetime'),
        updatedAt: column('updated_at', 'datetime'),
        publishedAt: column('published_at', 'datetime'),
      },
    })
    const rowOf = (index: number) => {
      const moment = new Date(Date.UTC(2026, 0, 1) + index * 1_000).toISOString()
      return {
        title: `title ${index}`,
        slug: `slug-${index}`,
        createdAt: moment,
        updatedAt: moment,
        publishedAt: moment,
      }
    }
    await driver.transaction((tx) =>
      insert(
        Array.from({ length: rows }, (_, index) => rowOf(index)),
        tx,
      ),
    )
    const statistics = {
      sqlite: 'select 1',
      postgres: 'vacuum analyze',
      mysql: 'analyze table content_article',
    }
    await driver.all(driver.prepare(sql.raw(statistics[driver.dialect.name])))
  })
  after(() => opened.close())

  function compile(query: string, seesDrafts: boolean): CompiledRead {
    const visibility = { seesDrafts: () => seesDrafts, mayRead: () => true }
    const scope = {
      database: opened.driver,
      models,
      schemas,
      draftsOf: () => undefined,
      metaOf: () => [],
      readStages,
      conversions: { heldBy: () => undefined, revision: 0 },
      changed: () => undefined,
    }
    return compileList(parseListQuery(query, article, parseOptions), visibility, scope)
  }

  /** What the database says it would do, a line a step. */
  async function planOf(query: string, statement: Statement<unknown>): Promise<string[]> {
    const { driver } = opened
    const { dialect } = driver
    const { limit, offset, slots } = parseListQuery(query, article, parseOptions)
    const now = dialect.bind(new Date().toISOString(), 'datetime')
    const values = { ...bindSlots(slots, driver), [nowSlot]: now, [limitSlot]: limit, [offsetSlot]: offset }
    const bound = (statement as CompiledStatement<unknown>).bind(values)
    const literals = bound.map((value) => (typeof value === 'string' ? `'${value}'` : String(value)))
    const text = statement.text.replace(/\$(\d+)|\?/g, (_, number = 1) =>
      dialect.name === 'postgres' ? String(literals[number - 1]) : String(literals.shift()),
    )
    const explain = { sqlite: 'explain query plan', postgres: 'explain (costs off)', mysql: 'explain' }
    const steps = await driver.all(driver.prepare(sql.raw(`${explain[dialect.name]} ${text}`)))
    return steps.map((step) => Object.values(step).join(' '))
  }

  for (const query of related) {
    it(`${query} is counted without asking for each entry anew`, async () => {
      const { total } = compile(query, true)
      assert.ok(total)
      const plan = await planOf(query, total)
      assert.ok(!/correlated|subplan|dependent/i.test(plan.join('\n')), plan.join('\n'))
    })
  }

  it('a value that is shown otherwise than it is stored is found by the index of what is stored', async () => {
    const query = 'filters[slug]=/x/slug-7'
    const { total } = compile(query, true)
    assert.ok(total)
    const plan = (await planOf(query, total)).join('\n')
    // MySQL 9 looks up a unique value while it plans, and then tells that the row is there already.
    assert.match(plan, new RegExp(`${slugIndex}|rows fetched before execution`, 'i'))
    assert.doesNotMatch(plan, /scan t0|seq scan/i)
  })

  for (const [who, seesDrafts] of Object.entries(callers)) {
    describe(`for those ${who}`, () => {
      for (const [query, indexes] of Object.entries(inIndexOrder)) {
        it(`${query} finds its page in an index, without reading rows or sorting them`, async () => {
          const plan = await planOf(query, compile(query, seesDrafts).rows)
          const found = plan.findIndex(
            (step) => / t0\b/.test(step) && indexes.some((index) => step.includes(index)),
          )
          assert.ok(/covering index|index only|using index/i.test(plan[found] ?? ''), plan.join('\n'))
          // PostgreSQL from 16 on shows how the few links of one entry are sorted by their position.
          const sorts = plan.filter((step) =>
            /use temp b-tree for (last|order)|sort key(?!.*position)|filesort/i.test(step),
          )
          // That of the page itself, which is short.
          assert.ok(sorts.length <= 1, plan.join('\n'))
        })
      }
    })
  }
})
