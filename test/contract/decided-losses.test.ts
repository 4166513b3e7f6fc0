import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type } from '../schemas/schema-directory.ts'
import { type Client, expectStatus } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'

const schemasWith = (title: object) => ({
  'note.json': type('note', { title: { type: 'string', ...title } }),
})

eachDatabase((database) => {
  it(
    'what somebody has allowed to be lost is in no answer any more, also not in kept ones',
    slow,
    async () => {
      const { url, drop } = await database.createUrl()
      const start = (title: object) => startService({ database: { url }, schemas: schemasWith(title) })
      const titles = async ({ get }: Client) => {
        const { body } = expectStatus(await get('/api/content/note?sort=id'), 200)
        return body.data.map(({ title }: { title: unknown }) => title)
      }
      try {
        const first = await start({})
        for (let number = 0; number < 2; number++) {
          expectStatus(await first.admin.post('/api/content/note', { title: 'same' }), 201)
        }
        await first.stop()
        const services = [await start({ unique: true })]
        if (database.name !== 'sqlite') services.push(await start({ unique: true }))
        try {
          for (const { admin } of services) {
            for (let time = 0; time < 3; time++) assert.deepEqual(await titles(admin), ['same', 'same'])
          }
          const [asked, other] = services
          assert.ok(asked)
          expectStatus(await asked.admin.post('/api/database/safe-sync', { allowDestructive: true }), 200)
          assert.deepEqual(await titles(asked.admin), ['same', null])
          if (other === undefined) return
          await until(async () => (await titles(other.admin)).includes(null))
          assert.deepEqual(await titles(other.admin), ['same', null])
        } finally {
          for (const service of services) await service.stop()
        }
      } finally {
        await drop()
      }
    },
  )
})
