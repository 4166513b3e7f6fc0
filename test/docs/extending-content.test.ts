import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type } from '../schemas/schema-directory.ts'
import { eachDatabase } from '../support/databases.ts'
import { moduleProject } from '../support/plugin-file.ts'
import { slow } from '../support/scope.ts'
import { startService } from '../support/service.ts'
import { shownFiles } from './shown-files.ts'

const schemas = {
  'note.json': type('note', { title: { type: 'string' } }, { pluginOptions: { shop: {} } }),
}

eachDatabase((database) => {
  describe('the examples of docs/extending-content.md', () => {
    it('do what it says', slow, async (test) => {
      const files = shownFiles('extending-content.md')
      assert.deepEqual(Object.keys(files), ['plugins/shop/plugin.ts', 'plugins/catalog/plugin.ts'])
      const service = await startService({
        database: database.name,
        schemas,
        files: { ...moduleProject, ...files },
      })
      test.after(() => service.stop())
      const { admin } = service
      for (const name of ['shop', 'catalog']) {
        const status = service.kernel.plugins().find((plugin) => plugin.name === name)
        assert.equal(status?.reason, undefined)
      }
      for (const title of ['Apple', 'Pineapple']) {
        assert.equal((await admin.post('/api/content/note', { title })).status, 201)
      }
      for (const title of ['Apple tree', 'Apple pie']) {
        const { status, body } = await admin.put('/api/content/note/1', { title })
        assert.equal(status, 200, JSON.stringify(body))
      }
      const titles = async (query: string) => {
        const { status, body } = await admin.get(`/api/content/note?${query}`)
        assert.equal(status, 200, JSON.stringify(body))
        return body.data.map((note: { title: string; shop_edits: number }) => [note.title, note.shop_edits])
      }
      assert.deepEqual(await titles('sort=shop_edits'), [
        ['Pineapple', 0],
        ['Apple pie', 2],
      ])
      assert.deepEqual(await titles('shop_edited=true'), [['Apple pie', 2]])
      assert.deepEqual(await titles('filters[shop_edits]=0'), [['Pineapple', 0]])
      assert.equal((await admin.get('/api/content/note?shop_edited=maybe')).status, 400)
      assert.deepEqual(await titles('search=App'), [['Apple pie', 2]])
      assert.deepEqual(await titles('search=Pine&shop_edited=true'), [])
      const { body } = await admin.get('/api/_docs/openapi.json')
      const { parameters } = body.paths['/content/note'].get
      assert.ok(parameters.some(({ name }: { name: string }) => name === 'shop_edited'))
    })
  })
})
