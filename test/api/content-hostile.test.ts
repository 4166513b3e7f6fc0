import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import fc from 'fast-check'
import type { Answer } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { create, listIds, pathOf, useContent } from './content-world.ts'

const injections = [
  "' or '1'='1",
  "'; drop table sample; --",
  '" or ""="',
  '`id`',
  '1) or (1=1',
  '\\',
  "\\' or 1=1 --",
  '%',
  '_',
  '$1',
  ':v0',
  '?',
  '@p',
  '{{7*7}}',
  '../../etc/passwd',
  '\u0000',
  '\ud800',
  '\u202e',
  'null',
  'undefined',
  'NaN',
  '-1',
  '0x1',
  '1e309',
  '9'.repeat(400),
  '__proto__',
  'constructor',
  'toString',
  '[object Object]',
  '{"$gt":""}',
  '[]',
  '🎈'.repeat(50),
  'a'.repeat(5_000),
  'sleep(5)',
  '\r\nx: y',
]

const queryNames = [
  'published',
  'deleted',
  'sort',
  'sortOrder',
  'limit',
  'offset',
  'cursor',
  'total',
  'populate',
  'fields',
  'search',
  'searchFields',
  'locale',
  'filters',
  'filters[title]',
  'filters[title][$eq]',
  'filters[title][$in][]',
  'filters[title][$containsi]',
  'filters[count]',
  'filters[price][$between]',
  'filters[$or][0][title]',
  'filters[$not][owner][name]',
  'filters[tags][name][$startsWith]',
  'filters[title][$null]',
  'filters[title][$null][a]',
  'filters[owner][$null][b]',
]

/** Of these, what reading one entry takes as well. */
const readNames = new Set(['deleted', 'populate', 'fields'])

/** What may be refused, and how: never by an error of our own, never by hanging. */
function assertOrderly({ status, body }: Answer, what: string): void {
  assert.ok(status < 500, `${status} for ${what}: ${JSON.stringify(body)}`)
  if (status >= 400) assert.equal(typeof body.error?.code, 'string', what)
}

eachDatabase((database) => {
  const world = useContent(database.name)
  let entryId: number

  before(async () => {
    entryId = (await create(world.admin, 'sample', { title: 'target', code: 'target' })).id
  })

  describe('hostile input', () => {
    it('is data, wherever it stands in a query', slow, async () => {
      for (const name of queryNames) {
        await Promise.all(
          injections.map(async (value) => {
            const query = `${encodeURIComponent(name)}=${percentEncode(value)}`
            assertOrderly(await world.admin.get(`${pathOf('sample')}?${query}`), query)
            if (!readNames.has(name)) return
            assertOrderly(await world.admin.get(`${pathOf('sample', entryId)}?${query}`), query)
          }),
        )
      }
      assert.ok((await listIds(world.admin, 'sample')).includes(entryId))
    })

    it('is data where names are expected', slow, async () => {
      for (const value of injections) {
        const name = percentEncode(value)
        for (const query of [
          `${name}=1`,
          `filters[${name}]=1`,
          `filters[title][${name}]=1`,
          `filters[owner][${name}][$eq]=1`,
        ]) {
          assertOrderly(await world.admin.get(`${pathOf('sample')}?${query}`), query)
        }
        for (const path of [
          pathOf(name),
          pathOf('sample', name),
          pathOf('sample', `${entryId}/link/${name}`),
        ]) {
          assertOrderly(await world.admin.get(path), path)
          assertOrderly(await world.admin.put(path, {}), path)
          assertOrderly(await world.admin.post(path, { id: 1 }), path)
        }
      }
    })

    it('is data where values are written', async () => {
      for (const value of injections) {
        const answer = await world.admin.put(pathOf('sample', entryId), {
          title: value,
          body: value,
          data: { [value]: value },
        })
        assertOrderly(answer, value)
        if (answer.status === 200)
          assert.deepEqual(answer.body.data.data, JSON.parse(JSON.stringify({ [value]: value })))
      }
    })

    it('cannot reach prototypes', async () => {
      for (const body of [
        '{"__proto__":{"title":"x"}}',
        '{"constructor":{"prototype":{"title":"x"}}}',
        '{"seo":{"title":"x","__proto__":{"noIndex":true}}}',
        '{"blocks":[{"__component":"__proto__"}]}',
        '{"blocks":[{"__component":"constructor"}]}',
      ]) {
        assert.equal((await world.admin.post(pathOf('sample'), body)).status, 400, body)
      }
      assert.equal(({} as Record<string, unknown>).title, undefined)
    })

    it('may be nested as deep as it likes', async () => {
      for (const depth of [10, 30, 31, 32, 100, 1_000, 100_000]) {
        const data = '['.repeat(depth) + ']'.repeat(depth)
        const answer = await world.admin.post(pathOf('sample'), `{"data":${data}}`)
        assertOrderly(answer, `depth ${depth}`)
        assert.equal(answer.status, depth <= 30 ? 201 : 400, `depth ${depth}`)
        const blocks = '{"__component":"test.menu","links":['.repeat(depth) + ']}'.repeat(depth)
        assertOrderly(
          await world.admin.post(pathOf('sample'), `{"blocks":[${blocks}]}`),
          `blocks of depth ${depth}`,
        )
      }
    })

    it('may have numbers of any size', async () => {
      for (const number of [
        '1e400',
        '-1e400',
        '1e-400',
        '123456789012345678901234567890',
        '0.1e1',
        '9007199254740993',
      ]) {
        for (const field of ['count', 'big', 'price', 'data', 'owner', 'tags', 'isOn', 'title']) {
          for (const value of [number, `[${number}]`, `"${number}"`]) {
            assertOrderly(
              await world.admin.post(pathOf('sample'), `{"${field}":${value}}`),
              `${field} ${value}`,
            )
          }
        }
      }
    })

    it('may be of any shape in the query', slow, async () => {
      const names = fc.constantFrom(
        'filters',
        'sort',
        'populate',
        'limit',
        'cursor',
        'title',
        'owner',
        'tags',
        '$and',
        '$or',
        '$not',
        '$eq',
        '$in',
        '$null',
        '$between',
        '0',
        '1',
        '',
        'a',
        '*',
        '__proto__',
        'links',
        'person',
        '$contains',
        'price',
      )
      const keys = fc
        .tuple(names, fc.array(names, { maxLength: 6 }))
        .map(([first, rest]) => first + rest.map((key) => `[${key}]`).join(''))
      const values = fc.oneof(
        fc.string({ unit: 'binary', maxLength: 12 }),
        fc.constantFrom('true', '1', 'title', 'owner.boss', ...injections),
      )
      const queries = fc.array(fc.tuple(keys, values), { minLength: 1, maxLength: 5 })
      await fc.assert(
        fc.asyncProperty(queries, async (pairs) => {
          const query = pairs.map(([key, value]) => `${key}=${percentEncode(value)}`).join('&')
          assertOrderly(await world.admin.get(`${pathOf('sample')}?${query}`), query)
        }),
        { numRuns: 200 },
      )
    })

    it('may be of any shape in the body', slow, async () => {
      const names = [
        'title',
        'code',
        'count',
        'big',
        'price',
        'isOn',
        'day',
        'seenAt',
        'kind',
        'data',
        'cover',
        'owner',
        'tags',
        'seo',
        'links',
        'blocks',
      ]
      const values = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' })
      const fields = fc.dictionary(fc.constantFrom(...names), values, { maxKeys: 5 })
      await fc.assert(
        fc.asyncProperty(fc.oneof(values, fields), async (body) => {
          const text = JSON.stringify(body)
          assertOrderly(await world.admin.post(pathOf('sample'), text), text)
          assertOrderly(await world.admin.put(pathOf('sample', entryId), text), text)
          assertOrderly(
            await world.admin.patch(pathOf('sample', 'bulk-update'), { ids: [entryId], data: body }),
            text,
          )
        }),
        { numRuns: 60 },
      )
    })

    it('may be bytes that are no text', async () => {
      for (const bytes of [
        [0xff],
        [0x7b, 0x22, 0xc3, 0x28, 0x22, 0x7d],
        [0xef, 0xbb, 0xbf, 0x7b, 0x7d],
        [0],
      ]) {
        const answer = await world.admin.post(pathOf('sample'), new Uint8Array(bytes), {
          headers: { 'content-type': 'application/json' },
        })
        assertOrderly(answer, String(bytes))
      }
      for (const path of [
        '/api/content/%ff',
        '/api/content/sample/%c3%28',
        '/api/content/sample?search=%ff',
        '/api/content/sample?%c3%28=1',
      ]) {
        assertOrderly(await world.admin.get(path), path)
      }
    })
  })
})

/** Every byte that could mean something, encoded; halves of surrogate pairs as UTF-8 cannot have them. */
function percentEncode(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
}
