import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { until } from '../support/until.ts'
import { comparisons } from './content-oracle.ts'
import { type Seeds, seed } from './content-seeds.ts'
import { dataOf, type Entry, list, listIds, pathOf, problemsIn, useContent } from './content-world.ts'

const sortable = [
  'id',
  'title',
  'mail',
  'count',
  'big',
  'price',
  'isOn',
  'day',
  'seenAt',
  'kind',
  'created_at',
]

/** Nulls are smallest; ties are broken by id, ascending. */
function inOrder(entries: readonly Entry[], keys: readonly [field: string, sign: 1 | -1][]): number[] {
  const order = (left: Entry, right: Entry) => {
    for (const [field, sign] of keys) {
      const difference = compare(left[field], right[field], field)
      if (difference !== 0) return sign * difference
    }
    return left.id - right.id
  }
  return [...entries].sort(order).map(({ id }) => id)
}

function compare(left: unknown, right: unknown, field: string): number {
  if (left === null || right === null) return Number(left !== null) - Number(right !== null)
  const byValue =
    comparisons[field] ?? ((first: string, second: string) => (first < second ? -1 : Number(first > second)))
  return byValue(String(left), String(right))
}

eachDatabase((database) => {
  const world = useContent(database.name)
  let seeds: Seeds
  let all: number[]

  before(async () => {
    seeds = await seed(world)
    all = seeds.samples.map(({ id }) => id)
  })

  const samples = (query: string) => listIds(world.admin, 'sample', `?fields=id&${query}`)
  const get = (query: string) => world.admin.get(`${pathOf('sample')}?${query}`)

  describe('the order of a list', () => {
    it('is that of any field, nulls lowest, ties by id', async () => {
      for (const field of sortable) {
        assert.deepEqual(
          await samples(`limit=100&sort=${field}`),
          inOrder(seeds.samples, [[field, 1]]),
          field,
        )
        const descending = inOrder(seeds.samples, [[field, -1]])
        assert.deepEqual(await samples(`limit=100&sort=${field}&sortOrder=desc`), descending, field)
        assert.deepEqual(await samples(`limit=100&sort=${field}:desc`), descending, field)
      }
    })

    it('is that of several fields', async () => {
      const cases: [string, [string, 1 | -1][]][] = [
        [
          'isOn:desc,count:asc',
          [
            ['isOn', -1],
            ['count', 1],
          ],
        ],
        [
          'kind,isOn:desc,price:desc',
          [
            ['kind', 1],
            ['isOn', -1],
            ['price', -1],
          ],
        ],
        [
          'count:DESC,title',
          [
            ['count', -1],
            ['title', 1],
          ],
        ],
        [
          'createdAt:desc,title',
          [
            ['created_at', -1],
            ['title', 1],
          ],
        ],
      ]
      for (const [sort, keys] of cases) {
        assert.deepEqual(await samples(`limit=100&sort=${sort}`), inOrder(seeds.samples, keys), sort)
      }
    })

    it('is refused by fields that have none, or that are not there', async () => {
      for (const sort of [
        'nothing',
        'data',
        'seo',
        'blocks',
        'tags',
        'twinOf',
        'title:up',
        'title:',
        'title:asc:desc',
        '__proto__',
        'constructor',
        'title;drop',
        "title'--",
        'owner',
        'owner.nothing',
        'owner.',
        'tags.id',
        'title%20desc',
      ]) {
        problemsIn(await get(`sort=${sort}`))
      }
      problemsIn(await get('sort=title&sortOrder=up'))
    })

    it('takes as many keys as anybody may want, and no more work for a key that comes again', async () => {
      const repeated = Array(2_000).fill('title').join(',')
      const { status } = await get(`sort=${repeated}&cursor=`)
      assert.ok(status === 200 || status === 400, String(status))
    })
  })

  describe('a page', () => {
    it('is of 25 entries unless told otherwise, and of 100 at most', async () => {
      const { body } = await get('')
      assert.deepEqual(body.pagination, { total: all.length, limit: 25, offset: 0, hasMore: true })
      assert.deepEqual(
        body.data.map(({ id }: Entry) => id),
        all.slice(0, 25),
      )
      const { body: large } = await get('limit=1000')
      assert.deepEqual(large.pagination, { total: all.length, limit: 100, offset: 0, hasMore: false })
    })

    it('begins at its offset', async () => {
      for (const [limit, offset] of [
        [5, 0],
        [5, 3],
        [5, all.length - 5],
        [5, all.length - 4],
        [10, all.length],
        [1, 10_000],
      ] as const) {
        const { body } = await get(`limit=${limit}&offset=${offset}&sort=id`)
        const { length: total } = all
        assert.deepEqual(body.pagination, { total, limit, offset, hasMore: offset + limit < total })
        assert.deepEqual(
          body.data.map(({ id }: Entry) => id),
          all.slice(offset, offset + limit),
        )
      }
    })

    it('can do without the total', async () => {
      const { body } = await get('total=false&limit=5&offset=2')
      assert.deepEqual(body.pagination, { limit: 5, offset: 2, hasMore: true })
      assert.equal(body.data.length, 5)
      const { body: last } = await get(`total=false&limit=5&offset=${all.length - 5}`)
      assert.deepEqual(last.pagination, { limit: 5, offset: all.length - 5, hasMore: false })
    })

    it('counts what the filter leaves', async () => {
      const { body } = await get('filters[isOn]=true&limit=2')
      const expected = seeds.samples.filter(({ isOn }) => isOn === true)
      assert.deepEqual(body.pagination, { total: expected.length, limit: 2, offset: 0, hasMore: true })
    })

    it('is refused with bounds that are no numbers', async () => {
      for (const query of [
        'limit=-1',
        'limit=x',
        'limit=1.5',
        'limit=',
        'limit=1e2',
        'offset=-1',
        'offset=x',
        'offset=%00',
        'limit=99999999999999999999',
        'offset=99999999999999999999',
        'limit[a]=1',
        'total=maybe',
        'nothing=1',
        'published=x',
        'cursor=&offset=1',
        'locale[x]=1',
        'fields=nothing',
        'fields=title,nothing',
        'fields=__proto__',
        'searchFields=count',
        'searchFields=nothing',
      ]) {
        problemsIn(await get(query))
      }
    })

    it('shows the fields that are asked for', async () => {
      const { title } = seeds.samples[0] as Entry
      assert.deepEqual(dataOf(await get('fields=title&limit=1')), [{ id: all[0], title }] as unknown as Entry)
      const [entry] = await list(world.admin, 'sample', '?fields=count,tags,createdAt&limit=1')
      assert.deepEqual(Object.keys(entry ?? {}).sort(), ['count', 'created_at', 'id', 'tags'])
      const [expanded] = await list(world.admin, 'sample', '?fields=title&populate=owner&limit=1')
      assert.deepEqual(Object.keys(expanded ?? {}).sort(), ['id', 'owner', 'title'])
    })
  })

  describe('cursors', () => {
    async function walk(query: string, limit: number): Promise<number[]> {
      const ids: number[] = []
      let cursor: string | null = ''
      for (let page = 0; cursor !== null; page++) {
        assert.ok(page <= all.length, 'the pages come to an end')
        const { status, body } = await get(`${query}&limit=${limit}&cursor=${encodeURIComponent(cursor)}`)
        assert.equal(status, 200, JSON.stringify(body))
        assert.deepEqual(Object.keys(body.pagination).sort(), ['hasMore', 'limit', 'nextCursor'])
        assert.equal(body.pagination.hasMore, body.pagination.nextCursor !== null)
        ids.push(...body.data.map(({ id }: Entry) => id))
        cursor = body.pagination.nextCursor
      }
      return ids
    }

    it('lead through the whole list, page by page, in any order', slow, async () => {
      for (const field of [...sortable, 'isOn:desc,kind:asc,price', 'count:desc,day']) {
        for (const order of ['asc', 'desc']) {
          const query = `fields=id&sort=${field}&sortOrder=${order}`
          assert.deepEqual(await walk(query, 4), await samples(`${query}&limit=100`), `${field} ${order}`)
        }
      }
    })

    it('lead through a filtered list', async () => {
      const query = 'fields=title&filters[count][$notNull]=true&sort=price:desc'
      assert.deepEqual(await walk(query, 3), await listIds(world.admin, 'sample', `?${query}&limit=100`))
    })

    it('are not for another list, nor made up', async () => {
      const { body } = await get('sort=title&limit=2&cursor=')
      const { nextCursor } = body.pagination
      for (const query of [
        `sort=count&cursor=${nextCursor}`,
        `sort=title:desc&cursor=${nextCursor}`,
        `cursor=${nextCursor}`,
      ]) {
        problemsIn(await get(query))
      }
      const made = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
      for (const cursor of [
        'x',
        '!',
        'null',
        made(null),
        made([]),
        made(['id:asc']),
        made(['id:asc', {}]),
        made(['id:asc', '1 or 1']),
        made(['id:asc', null]),
        made(['id:asc', 1, 2]),
        made({ 0: 'id:asc' }),
        made(['id:asc', 1e300]),
        'a'.repeat(8_000),
      ]) {
        problemsIn(await get(`cursor=${cursor}`))
      }
    })

    it('do not go with the order of long texts, which they would have to hold', async () => {
      problemsIn(await get('sort=body&cursor='))
      assert.equal((await get('sort=body')).status, 200)
    })
  })

  describe('search', () => {
    const found = (search: string, more = '') =>
      samples(`limit=100&search=${encodeURIComponent(search)}${more}`)
    const having = (word: string, fields = ['title', 'body', 'mail']) =>
      seeds.samples
        .filter((entry) =>
          fields.some((name) =>
            String(entry[name] ?? '')
              .toLowerCase()
              .includes(word),
          ),
        )
        .map(({ id }) => id)

    const folded = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
    /** By whole words without accents, the last of which may be the beginning of one. */
    const havingWords = (...wanted: string[]) =>
      seeds.samples
        .filter((entry) => {
          const texts = ['title', 'body', 'mail'].map((name) => String(entry[name] ?? ''))
          const words = folded(texts.join(' ')).split(/[^\p{L}\p{N}]+/u)
          return wanted.every((word, index) =>
            words.some((each) =>
              index === wanted.length - 1 ? each.startsWith(folded(word)) : each === folded(word),
            ),
          )
        })
        .map(({ id }) => id)

    it('finds words in any text, in any case', async () => {
      for (const word of ['alpha', 'äpfel', 'москва', 'sample1', 'neil']) {
        await until(async () => isDeepStrictEqual(await found(word), havingWords(word)), word)
        assert.deepEqual(await found(word.toUpperCase()), havingWords(word), word.toUpperCase())
      }
      assert.deepEqual(await found('日本'), having('日本'))
      assert.deepEqual(await found('%'), [])
    })

    it('finds parts of words in the named fields only', async () => {
      for (const word of ['lpha', 'äpfel', '日本', '%', '_', '\\', "'neil"]) {
        assert.deepEqual(await found(word, '&searchFields=title,body,mail'), having(word), word)
      }
      assert.deepEqual(await found('alpha', '&searchFields=title'), having('alpha', ['title']))
      assert.deepEqual(await found('red', '&searchFields=title,body'), having('red', ['title', 'body']))
      assert.deepEqual(await found('sample', '&searchFields=title'), having('sample', ['title']))
    })

    it('finds entries that have all words', async () => {
      assert.deepEqual(await found('red alpha'), havingWords('red', 'alpha'))
      assert.deepEqual(await found('"red alpha"'), [])
      const without = havingWords('alpha').filter((id) => !havingWords('red').includes(id))
      assert.deepEqual(await found('-red alpha'), without)
      assert.deepEqual(await found('  '), await samples('limit=100'))
      assert.ok(havingWords('red', 'alpha').length > 0 && without.length > 0)
    })

    it('goes with filters and pages', async () => {
      const expected = havingWords('alpha').filter(
        (id) => seeds.samples.find((entry) => entry.id === id)?.isOn === true,
      )
      assert.ok(expected.length > 0)
      assert.deepEqual(await found('alpha', '&filters[isOn]=true'), expected)
      const { body } = await get('search=alpha&limit=1')
      assert.equal(body.pagination.total, havingWords('alpha').length)
    })

    it('has an end', async () => {
      for (const query of [
        `search=${'a+'.repeat(5_000)}`,
        `search=a&searchFields=${Array(2_000).fill('title').join()}`,
      ]) {
        const { status } = await get(query)
        assert.ok(status === 200 || status === 400, String(status))
      }
      problemsIn(await get('search=a%00b'))
    })
  })
})
