import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import * as api from '../../entry-points/plugin.ts'
import { moduleProject } from '../support/plugin-file.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'

const root = join(import.meta.dirname, '../..')
const text = readFileSync(join(root, 'docs/plugins.md'), 'utf8')

/** Code by the file that its fence names. */
const shown = new Map(
  [...text.matchAll(/^```ts (\S+)\n(.*?)^```$/gms)].map(([, file = '', code = '']) => [file, code]),
)

describe('docs/plugins.md', () => {
  it('shows every file of the example plugin', () => {
    const files = readdirSync(join(root, 'plugins/reading-time')).map(
      (name) => `plugins/reading-time/${name}`,
    )
    const ofExample = [...shown.keys()].filter((file) => file.startsWith('plugins/reading-time/'))
    assert.deepEqual(ofExample.sort(), files.sort())
  })

  for (const [file, code] of [...shown].filter(([file]) => file.startsWith('plugins/reading-time/'))) {
    it(`shows ${file} as it is`, () => assert.equal(code, readFileSync(join(root, file), 'utf8')))
  }

  it('shows middleware and application routes that do what it says', async (test) => {
    const others = [...shown].filter(([file]) => !file.startsWith('plugins/reading-time/'))
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
