import assert from 'node:assert/strict'
import { it } from 'node:test'
import { eachDatabase } from '../support/databases.ts'
import { startProcess, withProject } from '../support/process.ts'

const schemasWith = (attributes: object) => ({
  'product.json': {
    kind: 'collectionType',
    info: { singularName: 'product', pluralName: 'products', displayName: 'Product' },
    attributes,
  },
})

const earlierSchemas = schemasWith({
  title: { type: 'string', unique: true },
  price: { type: 'integer' },
})

const laterSchemas = schemasWith({
  name: { type: 'string', unique: true, renamedFrom: 'title' },
  price: { type: 'decimal' },
})

eachDatabase((database) => {
  if (database.name === 'sqlite') return

  it('a process of the earlier version serves on while the next one changes the schema, and after that', () =>
    withProject({ database: database.name, schemas: earlierSchemas }, async (project) => {
      const url = project.env.DATABASE_URL ?? ''
      await withProject({ database: { url }, schemas: laterSchemas }, async (nextProject) => {
        const earlier = startProcess({ project })
        const oldAdmin = await earlier.signIn()
        for (let number = 0; number < 50; number++) {
          await oldAdmin.post('/api/content/product', { title: `before ${number}`, price: number })
        }
        const later = startProcess({ project: nextProject })
        const statuses = new Set<number>()
        let isReady = false
        const ready = later.signIn().finally(() => {
          isReady = true
        })
        for (let number = 0; !isReady; number++) {
          const body = { title: `meanwhile ${number}`, price: number }
          for (const answer of [
            await oldAdmin.post('/api/content/product', body),
            await oldAdmin.get('/api/content/product?limit=5&sort=title'),
            await oldAdmin.put('/api/content/product/1', { title: `again ${number}` }),
          ]) {
            statuses.add(answer.status)
          }
        }
        const newAdmin = await ready
        assert.deepEqual([...statuses].sort(), [200, 201], earlier.output())

        assert.equal((await newAdmin.put('/api/content/product/2', { name: 'by the later' })).status, 200)
        assert.equal((await oldAdmin.get('/api/content/product/2')).body.data.title, 'by the later')
        const created = await oldAdmin.post('/api/content/product', { title: 'by the earlier', price: 3 })
        assert.equal(created.status, 201)
        const seen = await newAdmin.get(`/api/content/product/${created.body.data.id}`)
        assert.deepEqual([seen.body.data.name, seen.body.data.price], ['by the earlier', 3])
        const [mine, theirs] = await Promise.all([
          oldAdmin.get('/api/content/product?limit=100&sort=id&fields=title'),
          newAdmin.get('/api/content/product?limit=100&sort=id&fields=name'),
        ])
        assert.deepEqual(
          mine.body.data.map((entry: { title: string }) => entry.title),
          theirs.body.data.map((entry: { name: string }) => entry.name),
        )
        assert.deepEqual((await newAdmin.get('/api/database/preview')).body.data, [])
        await later.end('SIGTERM')
        await earlier.end('SIGTERM')
      })
    }))
})
