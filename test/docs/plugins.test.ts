import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { jobsService } from '../../core-plugins/background/jobs/jobs.ts'
import * as api from '../../entry-points/plugin.ts'
import { startMediaService } from '../api/media-support.ts'
import { moduleProject } from '../support/plugin-file.ts'
import { slow } from '../support/scope.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'

const root = join(import.meta.dirname, '../..')
const text = readFileSync(join(root, 'docs/plugins.md'), 'utf8')

/** Code by the file that its fence names. */
const shown = new Map(
  [...text.matchAll(/^```ts (\S+)\n(.*?)^```$/gms)].map(([, file = '', code = '']) => [file, code]),
)

/** Examples with a test of their own, as they need settings. */
const callersAndFiles = ['plugins/memory/plugin.ts', 'plugins/partners/plugin.ts']

describe('docs/plugins.md', () => {
  it('shows every file of the example plugin', () => {
    // docs/panel-plugins.md shows what runs in browsers.
    const files = readdirSync(join(root, 'plugins/reading-time'))
      .filter((name) => !name.startsWith('panel.'))
      .map((name) => `plugins/reading-time/${name}`)
    const ofExample = [...shown.keys()].filter((file) => file.startsWith('plugins/reading-time/'))
    assert.deepEqual(ofExample.sort(), files.sort())
  })

  for (const [file, code] of [...shown].filter(([file]) => file.startsWith('plugins/reading-time/'))) {
    it(`shows ${file} as it is`, () => assert.equal(code, readFileSync(join(root, file), 'utf8')))
  }

  it('shows middleware and application routes that do what it says', slow, async (test) => {
    const others = [...shown].filter(
      ([file]) => !file.startsWith('plugins/reading-time/') && !callersAndFiles.includes(file),
    )
    assert.deepEqual(others.map(([file]) => file).sort(), [
      'plugins/discretion/plugin.ts',
      'plugins/guests/plugin.ts',
      'plugins/office-hours/plugin.ts',
      'routes/authors.ts',
    ])
    const service = await startService({
      files: { ...moduleProject, ...Object.fromEntries(others) },
      env: { SVC_PLUGINS_OFFICE_HOURS_GREETING: 'Good day' },
    })
    test.after(() => service.stop())
    const author = await service.admin.post('/api/content/author', { name: 'Ann' })
    assert.equal(author.body.data.name, 'Good day Ann')
    const { id } = author.body.data
    assert.equal(
      (await service.admin.put(`/api/content/author/${id}`, { email: 'ann@example.com' })).status,
      200,
    )
    const article = { title: 'One', slug: 'one', author: id }
    assert.equal((await service.admin.post('/api/content/article', article)).status, 201)
    const reader = { name: 'reader', scopes: ['content:read', 'content:write'] }
    const { token } = (await service.admin.post('/api/admin/api-tokens', reader)).body.data
    const emailFor = async (options: { readonly token?: string }) =>
      (await service.admin.get('/api/content/article?populate=author', options)).body.data[0].author.email
    assert.deepEqual([await emailFor({}), await emailFor({ token })], ['ann@example.com', null])
    const noted = () => service.logLines.filter(({ message }) => message === 'noted by office-hours').length
    await until(() => noted() === 4)
    assert.deepEqual((await service.admin.get('/api/x/app/authors/count')).body.data, { count: 1 })
    assert.equal((await service.get('/api/x/app/authors/count')).status, 401)
    const role = { name: 'visitor', description: '', type: 'custom', permissions: { content: {}, media: {} } }
    assert.equal((await service.admin.post('/api/admin/roles', role)).status, 201)
    const closed = { 'plugins.office-hours.isOpen': false }
    assert.equal((await service.admin.put('/api/admin/config', closed)).status, 200)
    const refused = await service.admin.post('/api/admin/roles', { ...role, name: 'guest' })
    assert.equal(refused.body.error.message, 'not allowed: come back in the morning')
  })

  it('shows an authenticator and a storage that do what it says', slow, async (test) => {
    const files = Object.fromEntries(callersAndFiles.map((file) => [file, shown.get(file) ?? '']))
    const service = await startMediaService({
      files: { ...moduleProject, ...files },
      env: { STORAGE_TYPE: 'memory', SVC_PLUGINS_PARTNERS_KEY: 'open sesame' },
    })
    test.after(() => service.stop())
    const { admin } = service
    assert.equal((await admin.post('/api/content/author', { name: 'Ann' })).status, 201)
    const withKey = (key: string) => ({ headers: { 'x-partner-key': key } })
    const known = await service.get('/api/content/author', withKey('open sesame'))
    assert.deepEqual([known.status, known.body.data?.length], [200, 1])
    assert.match(known.headers.get('vary') ?? '', /x-partner-key/i)
    assert.equal((await service.get('/api/content/author')).status, 401)
    assert.equal((await service.get('/api/content/author', withKey('Open sesame'))).status, 401)
    const refused = [
      await service.post('/api/content/author', { name: 'Eve' }, withKey('open sesame')),
      await service.get('/api/admin/users', withKey('open sesame')),
      await service.get('/api/media', withKey('open sesame')),
    ]
    assert.deepEqual(
      refused.map(({ status }) => status),
      [403, 403, 403],
    )

    const file = await service.add('0123456789', 'note.txt')
    const read = async (range?: string) => {
      const headers = range === undefined ? {} : { range }
      const { response, bytes } = await service.fetchFile(file.url, { headers })
      return [response.status, bytes.toString()]
    }
    assert.deepEqual(await read(), [200, '0123456789'])
    assert.deepEqual(await read('bytes=2-4'), [206, '234'])
    assert.ok(!existsSync(join(service.workingDirectory, 'uploads')))
    assert.equal((await admin.delete(`/api/media/${file.id}`)).status, 200)
    await service.kernel.get(jobsService).drain()
    assert.equal((await read())[0], 404)
  })

  it('names what `mortise/plugin` exports', () => {
    const tables = text.slice(text.indexOf('### Extension points and hooks'), text.indexOf('### On, off'))
    const rows = [...tables.matchAll(/^\| (`.+?`) \|/gm)]
    const names = rows.flatMap(([, cell = '']) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
    assert.ok(names.length >= 50)
    assert.deepEqual(
      names.filter((name) => !(name in api)),
      [],
    )
  })
})
