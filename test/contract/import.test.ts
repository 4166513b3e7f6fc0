import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createClient } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import type { TestService } from '../support/service.ts'
import {
  counted,
  exported,
  importing,
  mediaTypes,
  reportOfJob,
  sendFile,
  startImports,
  told,
} from './import-world.ts'

type Entry = Record<string, unknown> & { id: number }

eachDatabase(({ name }) => {
  let service: TestService
  let run: ReturnType<typeof importing>

  before(async () => {
    service = await startImports(name)
    run = importing(service)
    await run('country', [
      { cca2: 'CH', name: 'Switzerland' },
      { cca2: 'AT', name: 'Austria' },
    ])
  })
  after(() => service.stop())

  const all = async (type: string, query = ''): Promise<Entry[]> =>
    (await service.admin.get(`/api/content/${type}?limit=100&sort=id${query}`)).body.data
  const one = async (type: string, query: string): Promise<Entry> => {
    const [entry] = await all(type, query)
    assert.ok(entry, `${type} ${query}`)
    return entry
  }

  describe('an import', () => {
    it('puts entries in the places of natural keys, in components and zones too', async () => {
      const report = await run('city', [
        {
          slug: 'bern',
          name: 'Bern',
          country: { cca2: 'CH' },
          twins: [],
          place: { label: 'in', country: { cca2: 'AT' }, inner: { label: 'deep', country: { cca2: 'CH' } } },
          blocks: [
            { __component: 'test.place', label: 'x', country: { cca2: 'CH' } },
            { __component: 'test.note', text: 'y', cities: [{ slug: 'basel' }] },
          ],
        },
        { slug: 'basel', name: 'Basel', country: { cca2: 'CH' }, twins: [{ slug: 'bern' }] },
      ])
      assert.deepEqual([counted(report), report.records], [[2, 0, 0, 0], 2])
      const [swiss, austrian] = await all('country')
      const bern = await one('city', '&filters[slug]=bern&populate=twins')
      const basel = await one('city', '&filters[slug]=basel')
      assert.equal(bern.country, swiss?.id)
      assert.deepEqual(basel.twins, [bern.id])
      const place = bern.place as { country: number; inner: { country: number } }
      assert.deepEqual([place.country, place.inner.country], [austrian?.id, swiss?.id])
      const [first, second] = bern.blocks as { country: number; cities: number[] }[]
      assert.deepEqual([first?.country, second?.cities], [swiss?.id, [basel.id]])
    })

    it('changes what is there already by `match`, and nothing if nothing differs', async () => {
      const records = [
        { slug: 'graz', name: 'Graz', country: { cca2: 'AT' }, twins: [{ slug: 'bern' }] },
        { slug: 'linz', name: 'Linz', population: 200 },
      ]
      assert.deepEqual(counted(await run('city', records, { match: 'slug' })), [2, 0, 0, 0])
      const before = await all('city')
      assert.deepEqual(counted(await run('city', records, { match: 'slug' })), [0, 0, 2, 0])
      assert.deepEqual(await all('city'), before)
      const changed = [records[0] ?? {}, { slug: 'linz', name: 'Linz', population: 210 }]
      assert.deepEqual(counted(await run('city', changed, { match: 'slug' })), [0, 1, 1, 0])
      assert.equal((await one('city', '&filters[slug]=linz')).population, 210)
    })

    it('leaves out what is wrong, and tells it by line', async () => {
      const report = await run('city', [
        { data: { slug: 'w1', name: 'x' }, line: 10 },
        { data: { slug: 'w2', name: 'Fine' }, line: 11 },
        { data: 7, line: 12 },
        { data: undefined, problem: 'is no JSON', line: 13 },
        { data: { slug: 'w2', name: 'Twice' }, line: 14 },
        { data: { slug: 'w3', name: 'No such', country: { cca2: 'XX' } }, line: 15 },
        { data: { slug: 'w4', name: 'No key', country: { name: 'Austria' } }, line: 16 },
        { data: { slug: 'w5', name: 'Two', country: { cca2: 'CH', name: 'x' } }, line: 17 },
        { data: { slug: 'w6', name: 'Fine', population: 'many' }, line: 18 },
        { data: { slug: 'w7', name: 'Fine' }, line: 19 },
      ])
      assert.deepEqual(told(report).sort(), [
        '10 name minLength',
        '12  type',
        '13  format',
        '14 slug unique',
        '15 country reference',
        '16 country key',
        '17 country key',
        '18 population type',
      ])
      assert.deepEqual(counted(report), [2, 0, 0, 8])
      assert.equal((await all('city', '&filters[slug][$startsWith]=w')).length, 2)
    })

    it('finds everything that is wrong in a trial, and stores nothing', async () => {
      const before = await all('city')
      const records = [
        { slug: 't1', name: 'Later', twins: [{ slug: 't2' }], country: { cca2: 'CH' } },
        { slug: 't2', name: 'Earlier', twins: [{ slug: 't1' }] },
        { slug: 't3', name: 'Lost', twins: [{ slug: 'nowhere' }] },
        { slug: 'bern', name: 'Taken' },
        { slug: 't4', name: 'x' },
      ]
      const report = await run('city', records, { isTrial: true })
      assert.deepEqual(told(report).sort(), ['3 twins.0 reference', '4 slug unique', '5 name minLength'])
      assert.deepEqual(await all('city'), before)
      const steps = [
        { code: 1, next: { code: 2 } },
        { code: 2, next: { code: 7 } },
      ]
      const refused = ['1 next reference', '2 next reference']
      assert.deepEqual(told(await run('step', steps, { isTrial: true })).sort(), refused)
    })

    it('completes circles when all of them are there', async () => {
      const people = [
        { email: 'a@example.com', name: 'Ann', boss: { email: 'b@example.com' } },
        { email: 'b@example.com', name: 'Bob', boss: { email: 'a@example.com' } },
        { email: 'c@example.com', name: 'Cy', boss: { email: 'd@example.com' } },
        { email: 'd@example.com', name: 'Di', boss: { email: 'nobody@example.com' } },
      ]
      const report = await run('person', people, { match: 'email' })
      assert.deepEqual(counted(report), [2, 0, 0, 2])
      assert.deepEqual(told(report).sort(), ['3 boss reference', '4 boss reference'])
      const [ann, bob] = await all('person')
      assert.deepEqual([ann?.boss, bob?.boss], [bob?.id, ann?.id])
      assert.deepEqual(counted(await run('person', people.slice(0, 2), { match: 'email' })), [0, 0, 2, 0])
      const steps = [
        { code: 1, next: { code: 2 } },
        { code: 2, next: { code: 1 } },
      ]
      assert.deepEqual(told(await run('step', steps)).sort(), ['1 next required', '2 next required'])
    })

    it('counts a record once whose circle cannot be completed', async () => {
      const records = [
        { slug: 'half', name: 'Half', twins: [{ slug: 'short' }] },
        { slug: 'short', name: 'x', twins: [{ slug: 'short' }] },
      ]
      const report = await run('city', records)
      assert.deepEqual([report.records, counted(report)], [2, [1, 0, 0, 1]])
      assert.deepEqual(told(report).sort(), ['1 twins.0 reference', '2 name minLength'])
    })

    it('keeps times and publication, and changes nothing when it is repeated', async () => {
      const records = [
        {
          ...{ slug: 'old', title: 'Old', published_at: '2020-02-01T00:00:00.000Z' },
          ...{ created_at: '2020-01-01T00:00:00.000Z', updated_at: '2020-03-01T00:00:00.000Z' },
        },
        { slug: 'draft', title: 'Draft', published_at: null, updated_at: '2020-03-01T00:00:00Z' },
      ]
      assert.deepEqual(counted(await run('article', records, { match: 'slug' })), [2, 0, 0, 0])
      const [old, draft] = await all('article')
      assert.deepEqual(
        [old?.published_at, old?.created_at, old?.updated_at],
        ['2020-02-01T00:00:00.000Z', '2020-01-01T00:00:00.000Z', '2020-03-01T00:00:00.000Z'],
      )
      assert.deepEqual([draft?.published_at, draft?.updated_at], [null, '2020-03-01T00:00:00.000Z'])
      assert.deepEqual(counted(await run('article', records, { match: 'slug' })), [0, 0, 2, 0])
      assert.deepEqual(await all('article'), [old, draft])
      const later = [{ slug: 'x', created_at: '2999-01-01T00:00:00Z', updated_at: 'yesterday' }]
      assert.deepEqual(told(await run('article', later)), ['1 created_at future', '1 updated_at format'])
      await run('article', [{ slug: 'now', title: 'Now' }], { publish: true })
      assert.notEqual((await one('article', '&filters[slug]=now')).published_at, null)
    })

    it('joins versions in other locales, and finds entries in the locale of the record', async () => {
      const report = await run(
        'page',
        [
          { slug: 'hello', title: 'Hello', rank: 3, locale: 'en' },
          { slug: 'hallo', title: 'Hallo', locale: 'de', localization_of: { slug: 'hello', locale: 'en' } },
          { slug: 'salut', title: 'Salut', locale: 'fr', localization_of: { slug: 'hello', locale: 'en' } },
        ],
        { match: 'slug' },
      )
      assert.deepEqual([counted(report), told(report)], [[3, 0, 0, 0], []])
      const hello = await one('page', '&filters[slug]=hello')
      const { body } = await service.admin.get(`/api/content/page/${hello.id}/localizations`)
      assert.deepEqual(
        body.data.localizations.map(({ locale, rank }: Entry) => `${locale} ${rank}`),
        ['en 3', 'de 3', 'fr 3'],
      )
    })

    it('writes the entry of a single type', async () => {
      const record = { title: 'Home', city: { slug: 'bern' } }
      assert.deepEqual(counted(await run('home', [record])), [1, 0, 0, 0])
      assert.deepEqual(counted(await run('home', [record])), [0, 0, 1, 0])
      assert.deepEqual(counted(await run('home', [{ title: 'Other' }])), [0, 1, 0, 0])
    })

    it('takes records of several types', async () => {
      const report = await run(undefined, [
        { type: 'country', data: { cca2: 'LI' } },
        { type: 'city', data: { slug: 'vaduz', name: 'Vaduz', country: { cca2: 'LI' } } },
      ])
      assert.deepEqual(counted(report), [2, 0, 0, 0])
      assert.notEqual((await one('city', '&filters[slug]=vaduz')).country, null)
    })

    it('goes on where it was interrupted, and is not repeated until it is forgotten', slow, async () => {
      const records = Array.from({ length: 1_200 }, (_, index) => ({
        slug: `r${index}`,
        name: `Resumed ${index}`,
      }))
      const stopping = new AbortController()
      const first = run('city', records, {
        name: 'resumed',
        signal: stopping.signal,
        onProgress: () => stopping.abort(new Error('stopped')),
      })
      await assert.rejects(first, /stopped/)
      const count = async () =>
        (await service.admin.get('/api/content/city?limit=1&filters[slug][$startsWith]=r')).body.pagination
          .total
      assert.equal(await count(), 500)
      const report = await run('city', records, { name: 'resumed' })
      assert.deepEqual(counted(report), [1_200, 0, 0, 0])
      assert.equal(await count(), 1_200)
      assert.deepEqual(counted(await run('city', records, { name: 'resumed' })), [1_200, 0, 0, 0])
      assert.equal(await count(), 1_200)
    })
  })

  describe('over HTTP', () => {
    const sent = (path: string, body: string | Uint8Array, contentType?: string, client = service.admin) =>
      sendFile(client, path, body, contentType)

    it('takes lines, arrays and CSV, which all say the same', async () => {
      const lines =
        '\ufeff{"slug":"h1","name":"Line","country":{"cca2":"CH"}}\n\n{"slug":"h2","name":"x"}\nnonsense\n'
      const { data } = await sent('/api/content/city/import', lines)
      assert.deepEqual(
        [counted(data), told(data).sort()],
        [
          [1, 0, 0, 2],
          ['3 name minLength', '4  format'],
        ],
      )
      const array = JSON.stringify([{ slug: 'h1', name: 'Line', country: { cca2: 'CH' } }])
      const again = await sent('/api/content/city/import?match=slug', array, 'application/json')
      assert.deepEqual(counted(again.data), [0, 0, 1, 0])
      const csv =
        'slug,name,country.cca2,twins.slug,population,facts,place.label\nh1,Line,CH,bern|basel,7,"{""a"":1}",x\n'
      const third = await sent('/api/content/city/import?match=slug', csv, 'text/csv')
      assert.deepEqual([counted(third.data), told(third.data)], [[0, 1, 0, 0], []])
      const h1 = await one('city', '&filters[slug]=h1')
      assert.deepEqual([h1.population, h1.facts, (h1.place as Entry).label], [7, { a: 1 }, 'x'])
      const fourth = await sent('/api/content/city/import?match=slug', csv, 'text/csv')
      assert.deepEqual(counted(fourth.data), [0, 0, 1, 0])
    })

    it('brings back what was exported', slow, async () => {
      for (const format of ['ndjson', 'json', 'csv'] as const) {
        const file = await exported(service.admin, `/api/content/city/export?format=${format}&keys=natural`)
        const answer = await sent('/api/content/city/import?match=slug', file, mediaTypes[format])
        const report = await reportOfJob(service, answer)
        assert.deepEqual([report.updated, report.created, told(report)], [0, 0, []], format)
        assert.ok(report.unchanged > 100)
      }
    })

    it('runs large files as jobs', slow, async () => {
      const text = 'x'.repeat(200)
      const records = Array.from({ length: 12_000 }, (_, index) => `{"slug":"job${index}","name":"${text}"}`)
      const answer = await sent('/api/content/city/import', records.join('\n'))
      assert.deepEqual(counted(await reportOfJob(service, answer)), [12_000, 0, 0, 0])
    })

    it('refuses what is no such file, and callers without rights', async () => {
      const path = '/api/content/city/import'
      assert.equal((await sent(path, 'a', 'text/plain')).status, 415)
      assert.equal((await sent(path, '{"slug":1}', 'application/json')).status, 400)
      assert.equal((await sent(path, '[{"slug":', 'application/json')).status, 400)
      assert.equal((await sent(path, Buffer.from([0x7b, 0xff, 0xfe, 0x00]))).status, 400)
      assert.equal((await sent(path, 'a,"b\n', 'text/csv')).status, 400)
      assert.equal((await sent(path, `${'a,'.repeat(3_000)}z\n`, 'text/csv')).status, 400)
      assert.equal((await sent('/api/content/nothing/import', '{}')).status, 404)
      const hostile = await sent(
        path,
        [
          '{"__proto__":{"slug":"p"},"name":"Proto"}',
          '{"slug":"\\ud800","name":"Half"}',
          `{"slug":"deep","name":"Deep","facts":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
          '{"slug":"fine","name":"Media","cover":{"path":"/etc/passwd"}}',
          '{"slug":"fine","name":"Media","cover":{"url":"file:///etc/passwd"}}',
        ].join('\n'),
      )
      assert.equal(hostile.status, 200)
      assert.deepEqual([hostile.data.created, hostile.data.refused], [0, 5])
      const lines = 'application/x-ndjson'
      assert.equal((await sent(path, '{}', lines, createClient(service.url))).status, 401)
      const scopes = ['content:write:article', 'content:read']
      const { body } = await service.admin.post('/api/admin/api-tokens', { name: 'w', scopes })
      const writer = createClient(service.url, body.data.token)
      assert.equal((await sent(path, '{}', lines, writer)).status, 403)
      const times = '{"slug":"stamped","created_at":"2020-01-01T00:00:00Z"}'
      const { data } = await sent('/api/content/article/import', times, lines, writer)
      assert.deepEqual(told(data), ['1 created_at forbidden'])
      const published = await sent('/api/content/article/import?publish=true', times, lines, writer)
      assert.equal(published.status, 403)
    })
  })
})
