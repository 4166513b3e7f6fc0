import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { compileModels, type EntryModel } from '../../core-plugins/entries/content/entry/entry-model.ts'
import {
  parseFindQuery,
  parseListQuery,
  type ReadQuery,
} from '../../core-plugins/entries/content/query/read-query.ts'
import { AppError } from '../../core-plugins/foundation/http/http.ts'
import { blogSchemas } from './blog-schemas.ts'

const schemas = blogSchemas()
const models = compileModels(schemas)
const article = models.get('article') as EntryModel
const options = {
  ...{ models, schemas, defaultLimit: 25, maxLimit: 100, maxWeight: () => 1_000 },
  ...{
    draftsOf: () => undefined,
    metaOf: () => [],
    parametersOf: () => [],
    searchOf: () => undefined,
    standInsOf: () => [],
  },
}

const list = (query: string): ReadQuery => parseListQuery(query, article, options)

function problemsOf(query: string): string[] {
  try {
    list(query)
  } catch (error) {
    assert.ok(error instanceof AppError && error.status === 400, String(error))
    return (error.details ?? []).map(({ path, code }) => `${path} ${code}`)
  }
  return []
}

describe('the query of a list', () => {
  it('has defaults', () => {
    const query = list('')
    assert.deepEqual(
      { limit: query.limit, offset: query.offset, total: query.withTotal, cursor: query.cursor },
      { limit: 25, offset: 0, total: true, cursor: undefined },
    )
    assert.deepEqual(
      query.sort.map(({ field, direction }) => [field.name, direction]),
      [['id', 'asc']],
    )
  })

  it('clamps the limit and refuses what is no number', () => {
    assert.equal(list('limit=5000').limit, 100)
    assert.deepEqual(problemsOf('limit=-1&offset=x'), ['limit type', 'offset type'])
  })

  it('reports all problems at once', () => {
    assert.deepEqual(
      problemsOf('sort=nope&populate=title&fields=x&zip=1&filters[rank][$eq]=abc&filters[a]=1'),
      [
        'zip unknown',
        'populate unknown',
        'sort unknown',
        'filters.rank.$eq type',
        'filters.a unknown',
        'fields unknown',
      ],
    )
  })

  it('takes camelCase names of the timestamps', () => {
    const { sort, condition } = list('sort=createdAt:desc&filters[updatedAt][$gt]=2026-01-01')
    assert.equal(sort[0]?.field.name, 'created_at')
    assert.equal(condition?.kind === 'compare' && condition.field.name, 'updated_at')
  })

  it('breaks ties by id and stops sorting there', () => {
    const names = (query: string) =>
      list(query).sort.map(({ field, direction }) => `${field.name} ${direction}`)
    assert.deepEqual(names('sort=rank:desc,title'), ['rank desc', 'title asc', 'id asc'])
    assert.deepEqual(names('sort=id:desc,title'), ['id desc'])
    assert.deepEqual(names('sort=title&sortOrder=desc'), ['title desc', 'id asc'])
  })

  it('refuses operators that do not fit the field', () => {
    assert.deepEqual(problemsOf('filters[rank][$contains]=1'), ['filters.rank.$contains operator'])
    assert.deepEqual(problemsOf('filters[title][$foo]=1'), ['filters.title.$foo operator'])
    assert.deepEqual(problemsOf('filters[rank][$between]=1'), ['filters.rank.$between type'])
    assert.deepEqual(problemsOf('filters[mood]=angry'), ['filters.mood type'])
  })

  it('gives queries that differ in values only the same shape', () => {
    const shapes = ['a', 'b'].map(
      (title) => list(`filters[title]=${title}&filters[author][name][$in]=x,${title}`).shape,
    )
    assert.equal(shapes[0], shapes[1])
    assert.notEqual(shapes[0], list('filters[title][$ne]=a').shape)
  })

  it('keeps the conditions inside one relation together', () => {
    const { condition } = list('filters[categories][name]=a&filters[categories][slug]=b')
    assert.equal(condition?.kind, 'related')
    assert.equal(condition.condition.kind, 'and')
  })

  it('names the types that the caller must be allowed to read', () => {
    assert.deepEqual(list('populate=author').requiredTypes, ['author'])
    assert.deepEqual(list('populate=*').requiredTypes, [])
    assert.deepEqual(list('filters[author]=1').requiredTypes, ['author'])
    assert.deepEqual(list('filters[author][name]=x').requiredTypes, ['author'])
  })

  it('follows components and relations, at most five deep', () => {
    assert.equal(list('populate=blocks.image,blocks.related.author').populate.size, 1)
    assert.deepEqual(problemsOf('populate=blocks.nope'), ['populate unknown'])
    const deep = Array.from({ length: 6 }, (_, level) => (level % 2 === 0 ? 'author' : 'articles')).join('.')
    assert.deepEqual(problemsOf(`populate=${deep}`), ['populate depth'])
  })

  it('refuses cursors that it did not make', () => {
    assert.equal(list('cursor=').cursor, null)
    for (const cursor of ['x', 'W10', Buffer.from('["id:asc","x"]').toString('base64url')]) {
      assert.deepEqual(problemsOf(`cursor=${cursor}`), ['cursor cursor'])
    }
    assert.deepEqual(problemsOf('cursor=&offset=3'), ['cursor conflict'])
  })

  it('weighs conditions by what they look into, wherever they stand', () => {
    const weights = [
      list('').weight,
      list('filters[title]=x').weight,
      list('filters[title][$containsi]=x').weight,
      list('filters[author][name]=x').weight,
      list('filters[$or][0][title]=x&filters[$or][1][$not][title]=y').weight,
    ]
    assert.deepEqual(weights, [0, 1, 4, 3, 2])
  })

  it('refuses conditions that weigh too much together', () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, i) => `filters[$or][${i}][categories][name][$containsi]=x`).join('&')
    assert.equal(list(many(125)).weight, 1_000)
    assert.deepEqual(problemsOf(many(126)), ['filters maxWeight'])
  })

  it('refuses filters that are nested too deep', () => {
    const nested = `filters${'[$not]'.repeat(11)}[title]=x`
    assert.ok(problemsOf(nested).length > 0)
  })
})

describe('the query of an entry', () => {
  it('knows fewer parameters', () => {
    assert.throws(() => parseFindQuery('limit=1', article, options), AppError)
    assert.equal(parseFindQuery('populate=author', article, options).populate.size, 1)
  })
})

describe('hostile queries', () => {
  const part = fc.oneof(
    fc.constantFrom(
      'filters',
      'sort',
      'populate',
      '$and',
      '$or',
      '$not',
      '$eq',
      '$in',
      '$null',
      'author',
      'title',
    ),
    fc.constantFrom(
      '__proto__',
      'constructor',
      'toString',
      '0',
      '',
      'rank',
      'blocks',
      'categories',
      'id',
      'cursor',
    ),
    fc.string({ maxLength: 8 }),
  )
  const name = fc
    .tuple(part, fc.array(part, { maxLength: 5 }))
    .map(([first, rest]) => [first, ...rest.map((key) => `[${key}]`)].join(''))
  const value = fc.oneof(
    fc.string({ maxLength: 20 }),
    fc.constantFrom('1', 'true', '*', 'author', '2026-02-31', '1e400'),
  )
  const query = fc
    .array(fc.tuple(name, value), { maxLength: 6 })
    .map((pairs) =>
      pairs.map(([key, text]) => `${encodeURIComponent(key)}=${encodeURIComponent(text)}`).join('&'),
    )

  it('are answered or refused with 400', () => {
    fc.assert(
      fc.property(query, (text) => {
        problemsOf(text)
      }),
      { numRuns: 2_000 },
    )
  })
})
