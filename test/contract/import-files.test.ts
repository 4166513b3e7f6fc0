import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { maxRecordCharacters } from '../../core-plugins/administration/import-export/formats/format.ts'
import { readRecords } from '../../core-plugins/administration/import-export/formats/read-records.ts'
import { maxBatchRows } from '../../core-plugins/administration/import-export/imports/batches.ts'
import { importsDirectory } from '../../core-plugins/administration/import-export/settings.ts'
import { jobsService } from '../../core-plugins/background/jobs/jobs.ts'
import { configService } from '../../core-plugins/foundation/config/config.ts'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { schemasService } from '../../core-plugins/foundation/schemas/schemas.ts'
import { expectStatus, newAdmin, newUser } from '../api/auth-callers.ts'
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
  let here: TestService
  let there: TestService
  let run: ReturnType<typeof importing>

  before(async () => {
    here = await startImports(name)
    there = await startImports(name)
    run = importing(here)
    await run('country', [{ cca2: 'CH', name: 'Switzerland' }])
    await importing(there)('country', [{ cca2: 'CH', name: 'Switzerland' }])
  })
  after(async () => {
    await here?.stop()
    await there?.stop()
  })

  const all = async (service: TestService, type: string, query = ''): Promise<Entry[]> =>
    (await service.admin.get(`/api/content/${type}?limit=100&sort=id${query}`)).body.data

  const sendCsv = (file: string) => sendFile(here.admin, '/api/content/city/import', file, mediaTypes.csv)

  const transferred = async (type: string, { format = 'ndjson', query = '' } = {}) => {
    const file = await exported(
      here.admin,
      `/api/content/${type}/export?format=${format}&keys=natural${query}`,
    )
    const contentType = mediaTypes[format as keyof typeof mediaTypes]
    return (await sendFile(there.admin, `/api/content/${type}/import?match=slug`, file, contentType)).data
  }

  describe('a file for another service', () => {
    it('keeps the versions of an entry together', slow, async () => {
      await run('page', [
        { slug: 'hello', locale: 'en', title: 'Hello', rank: 1 },
        { slug: 'hallo', locale: 'de', title: 'Hallo', localization_of: { slug: 'hello', locale: 'en' } },
        { slug: 'alone', locale: 'fr', title: 'Seule' },
      ])
      for (const format of ['ndjson', 'csv']) {
        const report = await transferred('page', { format })
        assert.deepEqual(told(report), [], format)
        assert.deepEqual(counted(report), format === 'ndjson' ? [3, 0, 0, 0] : [0, 0, 3, 0])
      }
      const [hello] = await all(there, 'page', '&filters[slug]=hello')
      const { body } = await there.admin.get(`/api/content/page/${hello?.id}/localizations`)
      assert.deepEqual(
        body.data.localizations.map(({ slug }: { slug: string }) => slug),
        ['hello', 'hallo'],
      )
    })

    it('has a column for each attribute of a component, and no formulas in CSV', async () => {
      const hostile = '=HYPERLINK("http://evil.example","x")'
      await run('city', [
        {
          slug: 'bern',
          name: hostile,
          country: { cca2: 'CH' },
          place: { label: '-2+3', inner: { label: "'=x" } },
        },
        { slug: 'basel', name: '@SUM(1)', population: -7, place: { label: '-7', country: { cca2: 'CH' } } },
        { slug: 'lonely', name: '＝1+1', twins: [{ slug: 'bern' }], place: { label: '＠SUM(1)' } },
        { slug: 'last', name: "'＋1", place: { label: '\t－1' } },
      ])
      const file = await exported(here.admin, '/api/content/city/export?format=csv&keys=natural')
      const [head = '', ...rows] = file.split('\n')
      assert.match(head, /,place\.label,place\.country,place\.inner\.label,place\.inner\.country,/)
      for (const row of rows) assert.doesNotMatch(row, /(^|,)"?([=@\t＝＋－＠]|-2\+3)/, row)
      assert.deepEqual(counted(await transferred('city', { format: 'csv' })), [4, 0, 0, 0])
      assert.deepEqual(counted(await transferred('city')), [0, 0, 4, 0])
      const cities = await all(there, 'city')
      const [bern, basel, lonely, last] = ['bern', 'basel', 'lonely', 'last'].map((slug) =>
        cities.find((city) => city.slug === slug),
      )
      const texts = [lonely, last].map((city) => [
        city?.name,
        (city?.place as { label: string } | undefined)?.label,
      ])
      assert.deepEqual(texts, [
        ['＝1+1', '＠SUM(1)'],
        ["'＋1", '\t－1'],
      ])
      assert.equal(bern?.name, hostile)
      const place = bern?.place as { label: string; inner: { label: string } } | undefined
      assert.deepEqual([place?.label, place?.inner.label, basel?.population], ['-2+3', "'=x", -7])
    })

    it('keeps a text in a JSON field a text, whatever it looks like, in CSV', async () => {
      const texts = [
        '1e5',
        '12345678901234567890',
        'true',
        'null',
        '',
        '[1]',
        '"x"',
        '=1+1',
        "'=1",
        ' 7',
        '-2+3',
      ]
      const facts = [...texts, 'é;,\r\n', 100_000, -0.5, 1e21, true, { text: '1e5' }, ['1']]
      await run(
        'city',
        facts.map((each, index) => ({ slug: `json${index}`, name: 'JSON', facts: each })),
      )
      const report = await transferred('city', { format: 'csv', query: '&filters[slug][$startsWith]=json' })
      assert.deepEqual([told(report), counted(report)], [[], [facts.length, 0, 0, 0]])
      const found = await all(there, 'city', '&filters[slug][$startsWith]=json')
      assert.deepEqual(
        found.map((city) => city.facts),
        facts,
      )
    })

    it('takes a JSON cell that is no JSON, or a number that would lose digits, for a text', async () => {
      const file = 'slug,name,facts\nbare1,Bare,12345678901234567890\nbare2,Bare,so so\nbare3,Bare,7\n'
      assert.deepEqual(counted((await sendCsv(file)).data), [3, 0, 0, 0])
      const found = await all(here, 'city', '&filters[slug][$startsWith]=bare')
      assert.deepEqual(
        found.map((city) => city.facts),
        ['12345678901234567890', 'so so', 7],
      )
    })

    it('is whole and in the order of ids', async () => {
      for (const query of ['sort=name', 'limit=1', 'offset=1', 'cursor=', 'populate[country][fields]=name']) {
        const { status, body } = await here.admin.get(`/api/content/city/export?${query}`)
        assert.deepEqual([status, body.error.details[0].code], [400, 'unsupported'], query)
      }
      const cities = Array.from({ length: 250 }, (_, index) => ({ slug: `c${index}`, name: `City ${index}` }))
      await run('city', cities)
      const ids = async () =>
        (await exported(here.admin, '/api/content/city/export'))
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line).id)
      const before = await ids()
      assert.deepEqual(
        before,
        before.toSorted((one: number, other: number) => one - other),
      )
      assert.equal(new Set(before).size, before.length)
      assert.ok(before.length >= 250)
    })
  })

  describe('a file over HTTP', () => {
    it('is of few records where it comes from a content user or from anybody', slow, async () => {
      const content = { city: { read: true, create: true } }
      const role = { name: 'importing', description: '', permissions: { content, media: {} } }
      expectStatus(await here.admin.post('/api/admin/roles', role), 201)
      const user = await newUser(here, 'importing')
      const linesOf = (count: number, text = 'City') =>
        Array.from({ length: count }, (_, index) => JSON.stringify({ slug: `u${index}`, name: text })).join(
          '\n',
        )
      const path = '/api/content/city/import'
      const few = await sendFile(user.client, path, linesOf(2))
      assert.deepEqual([few.status, counted(few.data)], [200, [2, 0, 0, 0]])
      const large = linesOf(3, 'x'.repeat(1024 * 1024))
      for (const file of [linesOf(maxBatchRows + 1), large]) {
        for (const query of ['', '?dryRun=true']) {
          const refused = await sendFile(user.client, path + query, file)
          assert.deepEqual([refused.status, refused.data], [413, undefined])
        }
      }
      const later = await sendFile(here.admin, `${path}?match=slug`, linesOf(maxBatchRows + 1))
      assert.deepEqual(counted(await reportOfJob(here, later)), [maxBatchRows - 1, 0, 2, 0])
    })

    it('counts each record once in a dry run', async () => {
      const records = [
        { slug: 'once', name: 'Once', country: { cca2: 'CH' } },
        { slug: 'lost', name: 'Lost', country: { cca2: 'XX' } },
        { slug: 'worse', name: 'x', country: { cca2: 'XX' } },
        { slug: 'twin', name: 'Twin', twins: [{ slug: 'once' }] },
      ]
      const file = records.map((each) => JSON.stringify(each)).join('\n')
      const { data } = await sendFile(here.admin, '/api/content/city/import?dryRun=true', file)
      assert.deepEqual([data.records, counted(data)], [4, [2, 0, 0, 2]])
    })

    it('refuses what leads to refused records in a dry run as in an import', async () => {
      const twins = (...slugs: string[]) => ({ twins: slugs.map((slug) => ({ slug })) })
      const records = [
        { slug: 'first', name: 'First', ...twins('second') },
        { slug: 'second', name: 'Second', ...twins('bad') },
        { slug: 'bad', name: 'x' },
        { slug: 'one', name: 'One', ...twins('other') },
        { slug: 'other', name: 'Other', ...twins('one', 'good') },
        { slug: 'good', name: 'Good' },
        { slug: 'beside', name: 'Beside', ...twins('good', 'first') },
      ]
      const file = records.map((each) => JSON.stringify(each)).join('\n')
      const [tried, imported] = [
        (await sendFile(here.admin, '/api/content/city/import?dryRun=true', file)).data,
        (await sendFile(here.admin, '/api/content/city/import', file)).data,
      ]
      assert.deepEqual([tried.records, counted(tried)], [7, [3, 0, 0, 4]])
      assert.deepEqual(counted(tried), counted(imported))
      assert.deepEqual(told(tried).toSorted(), told(imported).toSorted())
    })

    it('is refused as a whole where it cannot be read to its end', async () => {
      const rows = Array.from({ length: 1_200 }, (_, index) => ({
        slug: `half${index}`,
        name: `Half ${index}`,
      }))
      const lines = rows.map((row) => JSON.stringify(row)).join('\n')
      const broken: [string | Uint8Array, string][] = [
        [Buffer.concat([Buffer.from(lines), Buffer.from([0x0a, 0xff, 0xfe])]), mediaTypes.ndjson],
        [JSON.stringify(rows).slice(0, -1), mediaTypes.json],
        [
          `slug,name\n${rows.map(({ slug, name: text }) => `${slug},${text}`).join('\n')}\n"open`,
          mediaTypes.csv,
        ],
      ]
      for (const [file, type] of broken) {
        assert.equal((await sendFile(here.admin, '/api/content/city/import', file, type)).status, 400, type)
      }
      assert.deepEqual(await all(here, 'city', '&filters[slug][$startsWith]=half'), [])
    })

    it('may have carriage returns, a byte order mark, and no end of line', async () => {
      const csv = '\ufeffslug,name\r\ncr1,"One\r\nand a half"\r\ncr2,Two'
      assert.deepEqual(
        counted((await sendFile(here.admin, '/api/content/city/import', csv, mediaTypes.csv)).data),
        [2, 0, 0, 0],
      )
      const lines = '{"slug":"cr3","name":"Three"}\r\n\r\n{"slug":"cr4","name":"Four"}'
      assert.deepEqual(
        counted((await sendFile(here.admin, '/api/content/city/import', lines)).data),
        [2, 0, 0, 0],
      )
      const [one] = await all(here, 'city', '&filters[slug]=cr1')
      assert.equal(one?.name, 'One\r\nand a half')
    })

    it('may end its lines in different ways', async () => {
      const files = [
        'slug,name\nends1,One\r\nends2,Two\r\n',
        'slug,name\r\nends3,Three\nends4,Four\n',
        'slug,name\rends5,Five\rends6,Six',
        'slug,name\nends7,"a\rb"\nends8,a\rb\n',
      ]
      for (const file of files) assert.deepEqual(counted((await sendCsv(file)).data), [2, 0, 0, 0], file)
      const found = await all(here, 'city', '&filters[slug][$startsWith]=ends')
      assert.deepEqual(
        found.map(({ slug, name: text }) => `${slug} ${text}`),
        [
          ...['ends1 One', 'ends2 Two', 'ends3 Three', 'ends4 Four'],
          ...['ends5 Five', 'ends6 Six', 'ends7 a\rb', 'ends8 a\rb'],
        ],
      )
    })

    it('is cut into the same rows, wherever its chunks end', async () => {
      const file = '\ufeffsep=;\r\n"slug";name;facts\r\na;"x\r\ny";"""1"""\r\n\r\nb;é;2\n'
      const bytes = Buffer.from(file)
      const schemas = here.kernel.get(schemasService)
      for (let size = 1; size <= bytes.length; size += 1) {
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
          bytes.subarray(index * size, (index + 1) * size),
        )
        const rows: unknown[] = []
        const source = Readable.from(chunks)
        for await (const { line, data } of readRecords(source, { format: 'csv', type: 'city', schemas })) {
          rows.push([line, data])
        }
        const expected = [
          [3, { slug: 'a', name: 'x\r\ny', facts: '1' }],
          [6, { slug: 'b', name: 'é', facts: 2 }],
        ]
        assert.deepEqual(rows, expected, `chunks of ${size} bytes`)
      }
    })

    it('tells problems by the line at which a row begins, as editors count', async () => {
      const rows = [
        ...['slug,name', 'lines1,"a\r\nb\nc"', 'lines2,x', '', '"lines3","x\r\n"', 'lines4'],
        ...['lines5,"y\r\nz",more', 'lines6,x'],
      ]
      const { data } = await sendCsv(rows.join('\r\n'))
      assert.deepEqual(
        data.problems.map(({ line }) => line),
        [5, 9, 10, 12],
      )
      const file = 'slug,name\r\nopen1,"a\r\nb"\r\nopen2,"never closed\r\n\r\nopen3,x\r\n'
      const { status, body } = await sendCsv(file)
      assert.equal(status, 400)
      assert.match(JSON.stringify(body), /quotation mark is opened and never closed, in the row after line 3/)
    })

    it('may have its cells between semicolons or tabs, and say so', async () => {
      const files = [
        'slug;name;population\r\nsemi1;"One; two";7\r\n',
        'slug\tname\tpopulation\nsemi2\tOne, two\t7\n',
        'sep=;\r\nslug;name;population\r\nsemi3;One, two;7\r\n',
        '"sep=|"\nslug|name|population\nsemi4|One; two|7',
        '"slug";"name";"population"\nsemi5;"a,b,c,d";7',
      ]
      for (const file of files) {
        const { data } = await sendCsv(file)
        assert.deepEqual([told(data), counted(data)], [[], [1, 0, 0, 0]], file)
      }
      const found = await all(here, 'city', '&filters[slug][$startsWith]=semi')
      assert.deepEqual(
        found.map(({ name: text, population }) => `${text} ${population}`),
        ['One; two 7', 'One, two 7', 'One, two 7', 'One; two 7', 'a,b,c,d 7'],
      )
      const refused = await sendCsv('sep=;\r\nslug;name\r\nsemi6;x\r\n')
      assert.equal(refused.data.problems[0]?.line, 3)
      const nothing = await sendCsv('sep=\nslug;name\n')
      assert.equal(nothing.status, 400)
      assert.match(JSON.stringify(nothing.body), /names no separator/)
    })

    it('may have empty columns at the end', async () => {
      const file = 'slug,name,,\nlast1,One,,\nlast2,Two\nlast3,Three,,x\nlast4,Four,,,,\n'
      const { data } = await sendCsv(file)
      assert.deepEqual(counted(data), [3, 0, 0, 1])
      assert.deepEqual(
        data.problems.map(({ line, message }) => `${line} ${message}`),
        ['4 has 4 cells, and the first line 2'],
      )
      assert.equal((await sendCsv('slug,,name\nlast5,,Five\n')).status, 400)
      assert.equal((await sendCsv(',,\nlast6,,\n')).status, 400)
    })

    it('is not unpacked', async () => {
      const packed = gzipSync(Buffer.alloc(50_000_000, ' '))
      const headers = { 'content-type': mediaTypes.ndjson, 'content-encoding': 'gzip' }
      const { status } = await here.admin.request('POST', '/api/content/city/import', {
        body: packed,
        headers,
      })
      assert.ok([400, 415].includes(status), String(status))
    })

    it('needs the right to change the entry of a single type, not to create one', async () => {
      const token = async (...scopes: string[]) => {
        const { body } = await here.admin.post('/api/admin/api-tokens', { name: scopes.join(), scopes })
        return createClient(here.url, body.data.token)
      }
      const permissions = (actions: object) => ({ content: { home: { read: true, ...actions } }, media: {} })
      const asRole = async (role: string, actions: object) => {
        const made = await here.admin.post('/api/admin/roles', {
          name: role,
          type: 'custom',
          permissions: permissions(actions),
        })
        assert.equal(made.status, 201)
        return (await newAdmin(here, role)).client
      }
      const file = '{"title":"Home"}'
      const path = '/api/content/home/import'
      assert.equal((await sendFile(await asRole('changes', { update: true }), path, file)).status, 200)
      assert.equal((await sendFile(await asRole('creates', { create: true }), path, file)).status, 403)
      assert.equal((await sendFile(await token('content:write:home'), path, file)).status, 200)
      assert.equal((await sendFile(await token('content:read'), path, file)).status, 403)
    })

    it('is imported at once where one transaction holds it, and tried at once where it is small', async () => {
      const rows = (count: number) =>
        Array.from({ length: count }, (_, index) => `{"slug":"at${index}","name":"At once"}`).join('\n')
      const path = '/api/content/city/import?match=slug'
      const small = await sendFile(here.admin, path, rows(maxBatchRows))
      assert.deepEqual([small.status, counted(small.data)], [200, [maxBatchRows, 0, 0, 0]])
      const tried = await sendFile(here.admin, `${path}&dryRun=true`, rows(maxBatchRows + 1))
      assert.deepEqual([tried.status, counted(tried.data)], [200, [1, 0, maxBatchRows, 0]])
      const later = await sendFile(here.admin, path, rows(maxBatchRows + 1))
      assert.deepEqual(counted(await reportOfJob(here, later)), [1, 0, maxBatchRows, 0])
    })

    it('is refused where it, or a line of it, is too large, and leaves nothing behind', slow, async () => {
      const service = await startImports(name, { SVC_IMPORT_MAX_BYTES: '6000000' })
      try {
        const path = '/api/content/city/import'
        const sent = async (body: Buffer) => (await sendFile(service.admin, path, body)).status
        const record = Buffer.from('{"slug":"large","name":"Large"}\n')
        assert.equal(await sent(Buffer.concat([record, Buffer.alloc(6_000_000, '\n')])), 413)
        assert.equal(await sent(Buffer.concat([record, Buffer.alloc(maxRecordCharacters + 1, 'x')])), 413)
        assert.deepEqual(await all(service, 'city'), [])
        const folder = importsDirectory(service.kernel.get(configService))
        assert.deepEqual(await readdir(folder).catch(() => []), [])
      } finally {
        await service.stop()
      }
    })

    it('does not tell writers of what they may not see', async () => {
      await run('person', [{ email: 'known@example.com' }])
      const asked = async (scopes: string[], country: object, fields: object = {}) => {
        const { body } = await here.admin.post('/api/admin/api-tokens', { name: scopes.join(), scopes })
        const record = JSON.stringify({ slug: 'asked', name: 'Asked', country, ...fields })
        const path = '/api/content/city/import?dryRun=true'
        const { data } = await sendFile(createClient(here.url, body.data.token), path, record)
        return told(data)
      }
      const writer = ['content:write:city']
      // A draft, which those see who may see drafts.
      assert.deepEqual(await asked([...writer, 'content:read', 'content:drafts'], { cca2: 'CH' }), [])
      const unseen = ['1 country reference']
      for (const scopes of [writer, [...writer, 'content:read'], [...writer, 'content:read:city']]) {
        assert.deepEqual(await asked(scopes, { cca2: 'CH' }), unseen, scopes.join())
        assert.deepEqual(await asked(scopes, { cca2: 'ZZ' }), unseen, scopes.join())
      }
      const inside = { label: 'x', country: { cca2: 'CH' } }
      assert.deepEqual(
        await asked(writer, {}, { place: inside }),
        await asked(
          writer,
          {},
          {
            place: { ...inside, country: { cca2: 'ZZ' } },
          },
        ),
      )
    })

    it('leaves nothing behind when its process was killed', async () => {
      const { kernel } = here
      const folder = importsDirectory(kernel.get(configService))
      await mkdir(folder, { recursive: true })
      const put = async (file: string, hours: number) => {
        await writeFile(join(folder, file), '{}')
        const at = new Date(Date.now() - hours * 3_600_000)
        await utimes(join(folder, file), at, at)
      }
      await put('left', 2)
      await put('running', 0)
      await put('waiting', 2)
      const jobs = kernel.get(jobsService)
      const kind = { name: 'imports.later', payload: { type: 'object' } } as never
      const runAt = new Date(Date.now() + 3_600_000).toISOString()
      await kernel
        .get(databaseService)
        .transaction((tx) => jobs.enqueue(tx, kind, {}, { key: 'import:waiting', runAt }))
      const forgetting = (await here.admin.get('/api/admin/scheduled-jobs')).body.data.find(
        (each: { name: string }) => each.name === 'imports.forget',
      )
      const { body } = await here.admin.post(`/api/admin/scheduled-jobs/${forgetting.id}/run`, {})
      const job = await jobs.finished(body.data.jobId)
      assert.equal(job.status, 'completed', String(job.error))
      assert.deepEqual(
        ['left', 'running', 'waiting'].map((file) => existsSync(join(folder, file))),
        [false, true, true],
      )
    })

    it('is described by type', async () => {
      const { body } = await here.admin.get('/api/_docs/openapi.json')
      const operation = body.paths['/content/city/import'].post
      assert.match(JSON.stringify(operation.responses['200']), /problemCount/)
      assert.ok(body.paths['/content/city/export'].get.responses['200'].content['application/x-ndjson'])
    })
  })
})
