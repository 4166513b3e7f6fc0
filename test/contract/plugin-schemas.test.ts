import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startBackupWorld } from '../backups/backup-world.ts'
import { component, type } from '../schemas/schema-directory.ts'
import { eachDatabase } from '../support/databases.ts'
import { moduleProject } from '../support/plugin-file.ts'
import { slow } from '../support/scope.ts'
import { type StartOptions, startService, type TestService } from '../support/service.ts'

const files = {
  ...moduleProject,
  'plugins/shop/plugin.ts': `
    import { definePlugin, schemaFolders, typeExtensions } from 'mortise/plugin'

    export default definePlugin({
      name: 'shop',
      description: 'Sells things.',
      register({ contribute }) {
        contribute(schemaFolders, { folder: new URL('./schemas/', import.meta.url) })
        contribute(typeExtensions, {
          extend: ({ pluginOptions }) =>
            'shop' in pluginOptions ? { shop_rank: { type: 'integer', default: 7 } } : undefined,
        })
      },
    })
  `,
  'plugins/shop/schemas/shop-product.json': JSON.stringify(
    type('shop-product', {
      name: { type: 'string', required: true, unique: true },
      price: { type: 'component', component: 'shop.price' },
      article: { type: 'relation', relation: 'manyToOne', target: 'article', inversedBy: 'shop_products' },
      related: { type: 'relation', relation: 'manyToMany', target: 'article' },
    }),
  ),
  'plugins/shop/schemas/components/shop.price.json': JSON.stringify(
    component('shop.price', { amount: { type: 'decimal', required: true } }),
  ),
  'plugins/shop/schemas/article.extension.json': JSON.stringify({
    attributes: {
      shop_products: {
        type: 'relation',
        relation: 'oneToMany',
        target: 'shop-product',
        mappedBy: 'article',
      },
      shopOnSale: { type: 'boolean', default: false },
    },
  }),
}

const schemas = {
  'article.json': type('article', { title: { type: 'string' } }, { pluginOptions: { shop: {} } }),
  'shop-product.extension.json': { attributes: { warehouse: { type: 'string' } } },
  'components/shop.price.extension.json': { attributes: { currency: { type: 'string' } } },
}

interface Change {
  readonly plugin: string | null
  readonly change: string
  readonly table: string
  readonly column: string | null
  readonly reason: string | null
}

eachDatabase((database) => {
  /** Starts the service again and again on one database. */
  async function withDatabase(
    work: (
      run: (options: StartOptions, use: (service: TestService) => Promise<void>) => Promise<void>,
    ) => unknown,
  ) {
    const { url, drop } = await database.createUrl()
    try {
      await work(async (options, use) => {
        const service = await startService({ database: { url }, schemas, files, ...options })
        try {
          await use(service)
        } finally {
          await service.stop()
        }
      })
    } finally {
      await drop()
    }
  }

  const off = { env: { SVC_PLUGINS_DISABLED: 'shop' } }

  async function fill({ admin }: TestService) {
    const article = await admin.post('/api/content/article', { title: 'News', shopOnSale: true })
    assert.equal(article.status, 201, JSON.stringify(article.body))
    const product = await admin.post('/api/content/shop-product', {
      name: 'Chair',
      warehouse: 'North',
      price: { amount: '9.99', currency: 'EUR' },
      article: article.body.data.id,
      related: [article.body.data.id],
    })
    assert.equal(product.status, 201, JSON.stringify(product.body))
  }

  async function expectEverything({ admin }: TestService) {
    const { body } = await admin.get(
      '/api/content/shop-product?populate=article,related&filters[warehouse]=North',
    )
    const [{ name, price, article, related }] = body.data
    assert.deepEqual([name, price.amount, price.currency], ['Chair', 9.99, 'EUR'])
    assert.deepEqual([article.title, article.shopOnSale, article.shop_rank], ['News', true, 7])
    assert.equal(related.length, 1)
    const inverse = await admin.get('/api/content/article?populate=shop_products')
    assert.equal(inverse.body.data[0].shop_products[0].name, 'Chair')
  }

  describe('schemas of plugins', slow, () => {
    it('become content like those of the project, and keep it while their plugin is off', () =>
      withDatabase(async (run) => {
        await run({}, async (service) => {
          await fill(service)
          await expectEverything(service)
          const again = await service.admin.post('/api/content/shop-product', { name: 'Chair' })
          assert.equal(again.status, 409)
          const query =
            '{ shopProducts(filters: { name: { eq: "Chair" } }) { data { name price { currency } } } }'
          const found = await service.admin.post('/api/graphql', { query })
          const expected = { shopProducts: { data: [{ name: 'Chair', price: { currency: 'EUR' } }] } }
          assert.deepEqual(found.body, { data: expected })
        })
        await run(off, async ({ admin }) => {
          assert.equal((await admin.get('/api/content/shop-product')).status, 404)
          const [article] = (await admin.get('/api/content/article')).body.data
          assert.equal('shopOnSale' in article || 'shop_rank' in article, false)
          assert.equal((await admin.put(`/api/content/article/${article.id}`, { title: 'News' })).status, 200)
          const changes: Change[] = (await admin.get('/api/database/preview')).body.data
          assert.deepEqual(
            changes
              .map(({ change, table, column, reason }) => [change, table, column, reason].join(' '))
              .sort(),
            [
              'drop-column content_article shop_on_sale its values, of the plugin shop, would be lost',
              'drop-column content_article shop_rank its values, of the plugin shop, would be lost',
              'drop-table content_shop_product  its rows, of the plugin shop, would be lost',
              'drop-table link_shop_product_related  its rows, of the plugin shop, would be lost',
            ],
          )
        })
        await run({}, async (service) => {
          await expectEverything(service)
          assert.deepEqual((await service.admin.get('/api/database/preview')).body.data, [])
        })
      }))

    it('are dropped only where the plugin is named, and raise no alert while it is off', () =>
      withDatabase(async (run) => {
        const blockedAlerts = async ({ admin }: TestService) =>
          (await admin.get('/api/admin/operational-alerts?kind=schema_sync_blocked&status=open')).body.data
        const sync = ({ admin }: TestService, body: object) =>
          admin.post('/api/database/safe-sync', { allowDestructive: true, ...body })
        await run({}, fill)
        await run(off, async (service) => {
          assert.deepEqual(await blockedAlerts(service), [])
          const told = service.logLines.filter((line) => line.owner === 'shop')
          assert.deepEqual(
            told.map(({ message, tablesAndColumns }) => [message, tablesAndColumns]),
            [['keeps the data of shop, which is off', 4]],
          )
          const { applied, pending } = (await sync(service, {})).body.data
          assert.deepEqual(
            [applied, pending.map((change: Change) => change.plugin)],
            [[], Array(4).fill('shop')],
          )
          const refused = await sync(service, { dropDataOf: ['shop', 'shpo'] })
          assert.equal(refused.status, 400)
          assert.deepEqual(
            refused.body.error.details.map(({ path }: { path: string }) => path),
            ['dropDataOf.1'],
          )
          const unclear = await sync(service, { allowDestructive: false, dropDataOf: ['shop'] })
          assert.equal(unclear.status, 400)
        })
        const article = JSON.parse(files['plugins/shop/schemas/article.extension.json'])
        delete article.attributes.shopOnSale
        const later = { ...files, 'plugins/shop/schemas/article.extension.json': JSON.stringify(article) }
        await run({ files: later }, async (service) => {
          assert.equal((await blockedAlerts(service)).length, 1)
          const { applied } = (await sync(service, {})).body.data
          assert.deepEqual(
            applied.map((change: Change) => change.column),
            ['shop_on_sale'],
          )
        })
        await run({}, async ({ admin }) => {
          const [{ id }] = (await admin.get('/api/content/article')).body.data
          await admin.put(`/api/content/article/${id}`, { shopOnSale: true })
        })
        await run({}, expectEverything)
        await run(off, async (service) => {
          const { applied, pending } = (await sync(service, { dropDataOf: ['shop'] })).body.data
          assert.deepEqual([applied.length, pending], [4, []])
          for (const { backup } of applied) assert.match(backup, /^svc_dropped_/)
        })
        await run({}, async ({ admin }) => {
          assert.deepEqual((await admin.get('/api/content/shop-product')).body.data, [])
        })
      }))

    it('are restored where their plugin is on, and refused as a whole where it is off', async () => {
      const { url, drop } = await database.createUrl()
      const options = { database: { url }, schemas, files }
      try {
        const first = await startBackupWorld(options)
        await fill(first)
        const archive = await first.download((await first.backUp()).id)
        await first.stop()
        const without = await startBackupWorld({ ...options, ...off })
        const refused = await without.restore(await without.take(archive))
        assert.equal(refused.status, 409)
        assert.deepEqual(
          refused.body.error.details.map(
            ({ path, code }: { path: string; code: string }) => `${code} ${path}`,
          ),
          [
            'missingColumn article.shop_on_sale',
            'missingColumn article.shop_rank',
            'missingTable shop-product',
            'missingTable link_shop_product_related',
          ],
        )
        assert.equal((await without.admin.get('/api/content/article')).body.data.length, 1)
        await without.stop()
        const again = await startBackupWorld(options)
        const { id } = (await again.admin.get('/api/content/shop-product')).body.data[0]
        assert.equal((await again.admin.delete(`/api/content/shop-product/${id}`)).status, 200)
        const restored = await again.restore(await again.take(archive))
        assert.equal(restored.status, 200, JSON.stringify(restored.body))
        await expectEverything(again)
        await again.stop()
      } finally {
        await drop()
      }
    })
  })
})
