import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { expectStatus } from '../api/auth-callers.ts'
import { moduleProject, pluginFile } from '../support/plugin-file.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** What the plugin adds to authors is asked for on many occasions; it fails where the name of its part is in the request. */
const additions = pluginFile(`
import { sql } from 'mortise/plugin'
const isAuthor = ({ name }) => name === 'author'
let asked = 0
export default kernel.definePlugin({
  name: 'ranks', description: 'A plugin of a test.',
  register({ contribute }) {
    contribute(content.entrySearches, {
      matches: (type) => { asked++; return isAuthor(type) },
      restrict: ({ text }) => ({
        shape: 'is named', values: [{ kind: 'string', value: text }],
        where: (entry) => sql\`\${entry.column('name')} = \${entry.value(0)}\`,
      }),
    }, { before: ['search'] })
    const meta = (name, load) => contribute(content.entryMeta, {
      name, schema: { type: 'integer' }, matches: isAuthor, load, valueOfOthers: () => 1,
    })
    meta('ranks', (type, ids) => new Map(ids.map((id) => [id, 7])))
    meta('ranksThrown', () => { throw new Error('in the load') })
    meta('ranksRejected', async () => { throw new Error('in the load') })
    meta('ranksText', () => 'no map')
    contribute(http.routes, http.defineRoute({
      name: 'ranks:asked.read', method: 'GET', path: '/asked', summary: 'How often', access: 'open', handler: () => asked,
    }))
  },
})`)

describe('what a plugin adds to entries', () => {
  let service: TestService
  before(async () => {
    service = await startService({ files: { ...moduleProject, 'plugins/ranks/plugin.ts': additions } })
    for (const name of ['Ann', 'Ben'])
      expectStatus(await service.admin.post('/api/content/author', { name }), 201)
  })
  after(() => service.stop())

  const names = async (query: string) =>
    expectStatus(await service.admin.get(`/api/content/author?sort=name&${query}`), 200).body.data.map(
      ({ name }: { name: string }) => name,
    )

  it('is no search where nothing is searched for', async () => {
    for (const query of ['', 'search=', 'search=%20'])
      assert.deepEqual(await names(query), ['Ann', 'Ben'], query)
    assert.deepEqual(await names('search=Ben'), ['Ben'])
    assert.deepEqual(await names('search=Cid'), [])
  })

  it('is asked once about each type, at the start', async () => {
    const before = (await service.get('/api/x/ranks/asked')).body.data
    await names('search=Ann')
    expectStatus(await service.admin.get('/api/_docs/openapi.json'), 200)
    expectStatus(await service.admin.get('/api/content/article?search=a'), 200)
    assert.equal((await service.get('/api/x/ranks/asked')).body.data, before)
  })

  it('is null in _meta where it fails, and told under the name of the plugin', async () => {
    const { data } = expectStatus(await service.admin.get('/api/content/author?meta=true'), 200).body
    for (const { _meta } of data) {
      const { ranks, ranksThrown, ranksRejected, ranksText } = _meta
      assert.deepEqual([ranks, ranksThrown, ranksRejected, ranksText], [7, null, null, null])
    }
    const path = '/api/admin/operational-alerts?kind=plugin_error'
    await until(async () => (await service.admin.get(path)).body.data.length > 0)
    const [alert] = (await service.admin.get(path)).body.data
    assert.equal(alert.details.plugin, 'ranks')
    assert.match(alert.details.where, /of _meta/)
  })
})
