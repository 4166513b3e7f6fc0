import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { createClient } from 'mortise-client'
import type { ContentTypes } from '../../examples/countries/content-types.ts'
import { importCountries, recordCount } from '../../examples/countries/import-countries.ts'
import { holds } from '../../examples/countries/synchronise.ts'
import { adminEmail, adminPassword } from '../support/project.ts'
import { slow } from '../support/scope.ts'
import { scriptArguments } from '../support/script.ts'
import { startService, type TestService } from '../support/service.ts'

const run = promisify(execFile)
const importFile = join(import.meta.dirname, '../../examples/countries/import.ts')

let service: TestService

/** Runs the import as a user would, by its command line. */
const importByCommand = (env: Record<string, string>, ...flags: string[]) =>
  run(process.execPath, [...scriptArguments(importFile), ...flags], {
    cwd: service.workingDirectory,
    env: { PATH: process.env.PATH, NO_COLOR: '1', ...env },
  })

async function createToken(): Promise<string> {
  const token = { name: 'import', scopes: ['content:read', 'content:write'] }
  const { body } = await service.admin.post('/api/admin/api-tokens', token)
  return body.data.token
}

const country = async (cca3: string, populate: string) => {
  const query = `filters[cca3]=${cca3}&populate=${populate}`
  const { body } = await service.admin.get(`/api/content/country?${query}`)
  return body.data[0]
}

describe('countries from a package', slow, () => {
  before(async () => {
    service = await startService()
  })

  after(() => service.stop())

  describe('the import of the countries', { concurrency: false }, () => {
    it('creates everything the first time', async () => {
      const { stdout } = await importByCommand({
        MORTISE_URL: service.url,
        MORTISE_EMAIL: adminEmail,
        MORTISE_PASSWORD: adminPassword,
      })
      const table = stdout.replaceAll(/[^\S\n]+/g, ' ')
      assert.match(table, /│ countries │ 250 │ 0 │ 0 │/)
      assert.match(table, /│ subregions │ 24 │ 0 │ 0 │/)
      assert.match(stdout, /Done in/)
      const { body } = await service.admin.get('/api/content/country?limit=1')
      assert.equal(body.pagination.total, 250)
    })

    it('sets relations of every kind, components, decimals, booleans and enums', async () => {
      const swiss = await country('CHE', 'region.parent,languages,currencies,borders,names.native.language')
      assert.equal(swiss.name, 'Switzerland')
      assert.equal(swiss.status, 'officially-assigned')
      assert.equal(swiss.independent, true)
      assert.equal(swiss.area, 41_284)
      assert.deepEqual(swiss.geography, { latitude: 47, longitude: 8, landlocked: true })
      assert.deepEqual(swiss.callingCode, { root: '+4', suffixes: ['1'] })
      assert.deepEqual(swiss.capitals, ['Bern'])
      assert.equal(swiss.translations.jpn.common, 'スイス')
      assert.equal(swiss.region.name, 'Western Europe')
      assert.equal(swiss.region.parent.name, 'Europe')
      const codes = (records: Record<string, string>[], name: string) => records.map((record) => record[name])
      assert.deepEqual(codes(swiss.languages, 'code'), ['fra', 'gsw', 'ita', 'roh'])
      assert.deepEqual(codes(swiss.currencies, 'code'), ['CHF'])
      assert.deepEqual(codes(swiss.borders, 'cca3'), ['AUT', 'FRA', 'ITA', 'LIE', 'DEU'])
      assert.equal(swiss.names.official, 'Swiss Confederation')
      assert.equal(swiss.names.native[1].language.name, 'Swiss German')
    })

    it('takes over what the data set does not know as null', async () => {
      const kosovo = await country('UNK', 'region')
      assert.equal(kosovo.independent, null)
      const svalbard = await country('SJM', 'region')
      assert.equal(svalbard.area, null)
      const antarctica = await country('ATA', 'region')
      assert.equal(antarctica.region.name, 'Antarctic')
      assert.equal(antarctica.callingCode, null)
    })

    it('changes nothing when it runs again', async () => {
      const before = await service.admin.get('/api/content/country?limit=100&sort=updated_at:desc')
      const steps: string[] = []
      const client = createClient<ContentTypes>({ url: service.url, token: await createToken() })
      const summary = await importCountries(client, (step) => steps.push(step))
      for (const [name, counts] of summary) {
        assert.deepEqual({ ...counts, unchanged: 0 }, { created: 0, updated: 0, unchanged: 0 }, name)
      }
      assert.equal(summary.get('countries')?.unchanged, 250)
      assert.equal(steps.length, recordCount)
      const after = await service.admin.get('/api/content/country?limit=100&sort=updated_at:desc')
      assert.deepEqual(after.body, before.body)
    })

    it('mends what was changed and makes what was removed, and leaves the rest alone', async () => {
      const { id } = await country('FRA', 'region')
      await service.admin.put(`/api/content/country/${id}`, { area: 1, borders: [] })
      const token = await createToken()
      const { stdout } = await importByCommand({}, '--url', service.url, '--token', token)
      const table = stdout.replaceAll(/[^\S\n]+/g, ' ')
      assert.match(table, /│ countries │ 0 │ 1 │ 249 │/)
      assert.match(table, /│ borders │ 0 │ 1 │ 249 │/)
      const france = await country('FRA', 'borders')
      assert.equal(france.area, 551_695)
      assert.equal(france.borders.length, 8)
    })

    const failures: [string, string[], RegExp][] = [
      ['no password', ['--email', adminEmail], /the password of admin@example\.com is needed/],
      ['a wrong password', ['--password', 'wrong'], /answered 401/],
      ['a bad token', ['--token', 'mor_nonsense'], /answered 401/],
    ]
    for (const [what, flags, expected] of failures) {
      it(`says what is the matter with ${what}`, async () => {
        await assert.rejects(
          importByCommand({}, '--url', service.url, ...flags),
          (error: Error & { stderr: string }) => {
            assert.match(error.stderr, expected)
            return true
          },
        )
      })
    }

    it('says so where nothing answers', async () => {
      const flags = ['--url', 'http://127.0.0.1:9', '--token', 'x']
      await assert.rejects(importByCommand({}, ...flags), /The import failed: fetch failed/)
    })
  })

  describe('the examples of the tour', { concurrency: false }, () => {
    const tour = readFileSync(join(import.meta.dirname, '../../docs/tour.md'), 'utf8')
    const command = /^api '([^']+)'(?: -X (\w+))?(?: -d '([^']+)')?(?:\n# → (.+))?$/gm
    const examples = [...tour.matchAll(command)]

    it('are all understood', () => {
      assert.ok(examples.length >= 12)
      assert.equal(examples.length, tour.match(/^api '/gm)?.length)
    })

    for (const [, path = '', method, body, expected] of examples) {
      it(`show what is answered: ${method ?? (body === undefined ? 'GET' : 'POST')} ${path}`, async () => {
        const options = body === undefined ? {} : { body }
        const verb = method ?? (body === undefined ? 'GET' : 'POST')
        const answer = await service.admin.request(verb, `/api/${path}`, options)
        assert.ok(answer.status < 300, JSON.stringify(answer.body))
        if (Array.isArray(answer.body.data)) assert.ok(answer.body.data.length > 0)
        if (expected !== undefined)
          assert.ok(holds(answer.body.data, JSON.parse(expected)), JSON.stringify(answer.body))
      })
    }
  })

  describe('holds', () => {
    const cases: [unknown, unknown, boolean][] = [
      [1, 1, true],
      [1, '1', false],
      [null, null, true],
      [{ a: 1, b: 2 }, { a: 1 }, true],
      [{ a: 1 }, { a: 1, b: 2 }, false],
      [[1, 2], [1, 2], true],
      [[1, 2, 3], [1, 2], false],
      [[2, 1], [1, 2], false],
      [null, { a: 1 }, false],
      [{ a: { b: [{ c: 1, d: 2 }] } }, { a: { b: [{ c: 1 }] } }, true],
    ]
    for (const [actual, wanted, expected] of cases) {
      const name = `${JSON.stringify(actual)} ${expected ? 'holds' : 'does not hold'} ${JSON.stringify(wanted)}`
      it(name, () => assert.equal(holds(actual, wanted), expected))
    }
  })
})
