import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { jobsService } from '../../core-plugins/background/jobs/jobs.ts'
import { variantsTable } from '../../core-plugins/delivery/images/variants/variant-store.ts'
import {
  type MediaStorage,
  mediaService,
  mediaStorages,
  variantKey,
} from '../../core-plugins/delivery/media/media.ts'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { definePlugin } from '../../kernel/index.ts'
import { expectStatus } from '../api/auth-callers.ts'
import { image, type MediaService, startMediaService } from '../api/media-support.ts'
import { imageAt } from '../images/images-support.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'

eachDatabase(({ name }) => {
  describe(`images that have been made, on ${name}`, () => {
    let service: MediaService
    let png: Uint8Array<ArrayBuffer>
    before(async () => {
      png = await image(900, 700)
      service = await startMediaService({ database: name })
    })
    after(() => service?.stop())

    const table = (of = service) => variantsTable.on(of.kernel.get(databaseService))
    const listed = async (file: string, of = service) =>
      (await table(of).find(['file']).all({ file })).map(({ ops, bytes }) => [ops, bytes] as const).sort()
    const stored = (file: string, of = service) => {
      const folder = join(of.workingDirectory, 'uploads/variants', file)
      return existsSync(folder) ? readdirSync(folder).sort() : []
    }
    const tidy = async () => {
      const { data } = expectStatus(await service.admin.get('/api/admin/scheduled-jobs'), 200).body
      const { id } = data.find((schedule: { name: string }) => schedule.name === 'images.tidy')
      expectStatus(await service.admin.post(`/api/admin/scheduled-jobs/${id}/run`, {}), 202)
      await service.kernel.get(jobsService).drain()
    }
    const drain = (of = service) => of.kernel.get(jobsService).drain()

    it('are listed with their bytes, and go with their file', slow, async () => {
      const media = await service.add(png, 'a.png')
      const made = await imageAt(service, `${media.url}/w64.webp`)
      await imageAt(service, `${media.url}/w32.avif`)
      assert.deepEqual(
        (await listed(media.filename)).map(([ops]) => ops),
        ['w32.avif', 'w64.webp'],
      )
      assert.deepEqual((await listed(media.filename))[1], ['w64.webp', made.bytes.length])
      assert.deepEqual(stored(media.filename), ['w32.avif', 'w64.webp'])
      expectStatus(await service.admin.delete(`/api/media/${media.id}`), 200)
      await drain()
      assert.deepEqual([await listed(media.filename), stored(media.filename)], [[], []])
      assert.equal((await service.fetchFile(`${media.url}/w96.webp`)).response.status, 404)
    })

    it('go when their file is replaced, and stay when that fails', slow, async () => {
      const media = await service.add(png, 'b.png')
      await imageAt(service, `${media.url}/w64.webp`)
      const replace = (filename: string) =>
        service.send('PUT', `/api/media/${media.id}/file`, [{ name: 'file', content: png, filename }])
      assert.equal((await replace('b.txt')).status, 415)
      await drain()
      assert.deepEqual(stored(media.filename), ['w64.webp'])
      const replaced = expectStatus(await replace('c.png'), 200).body.data
      await drain()
      assert.deepEqual([await listed(media.filename), stored(media.filename)], [[], []])
      assert.equal((await imageAt(service, `${replaced.url}/w64.webp`)).width, 64)
    })

    it('are made once for all who ask at the same time', async () => {
      const media = await service.add(png, 'd.png')
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => imageAt(service, `${media.url}/w256.webp`)),
      )
      assert.equal(new Set(answers.map(({ bytes }) => bytes.toString('hex'))).size, 1)
      assert.equal((await listed(media.filename)).length, 1)
    })

    it('are made again when the storage has lost them', async () => {
      const media = await service.add(png, 'e.png')
      const { bytes } = await imageAt(service, `${media.url}/w128.webp`)
      await service.kernel.get(mediaService).storage.delete(variantKey(media.filename, 'w128.webp'))
      const again = await imageAt(service, `${media.url}/w128.webp`)
      assert.deepEqual(again.bytes, bytes)
      assert.equal((await listed(media.filename)).length, 1)
    })

    it('that were never completed or have lost their file are tidied up', async () => {
      const { storage } = service.kernel.get(mediaService)
      const gone = `${'0'.repeat(32)}.png`
      const media = await service.add(png, 'f.png')
      const long = new Date(Date.now() - 2 * 3_600_000).toISOString()
      const rows = [
        { file: media.filename, ops: 'w16.webp', bytes: 0, usedAt: long },
        { file: media.filename, ops: 'w32.webp', bytes: 0, usedAt: new Date().toISOString() },
        { file: gone, ops: 'w16.webp', bytes: 7, usedAt: new Date().toISOString() },
      ]
      for (const row of rows) await table().insert().run(row)
      const description = { mediaType: 'image/webp', size: 3, disposition: 'inline' } as const
      for (const { file, ops } of rows) {
        await storage.write(variantKey(file, ops), Readable.from(['abc']), description)
      }
      await tidy()
      assert.deepEqual([await listed(gone), stored(gone)], [[], []])
      assert.deepEqual(
        [await listed(media.filename), stored(media.filename)],
        [[['w32.webp', 0]], ['w32.webp']],
      )
    })

    it('make room for others when they take too much, those first that nobody has asked for the longest', async () => {
      const media = await service.add(png, 'g.png')
      const mebibyte = 1024 ** 2
      await table().delete([]).run({})
      for (const [ops, minutes] of [
        ['w16.webp', 30],
        ['w32.webp', 10],
        ['w64.webp', 20],
      ] as const) {
        const usedAt = new Date(Date.now() - minutes * 60_000).toISOString()
        await table()
          .insert()
          .run({ file: media.filename, ops, bytes: mebibyte / 2, usedAt })
      }
      expectStatus(await service.admin.put('/api/admin/config', { 'images.maxBytes': mebibyte }), 200)
      await tidy()
      assert.deepEqual(
        (await listed(media.filename)).map(([ops]) => ops),
        ['w32.webp'],
      )
      expectStatus(await service.admin.put('/api/admin/config', { 'images.maxBytes': 1024 ** 3 }), 200)
    })
  })

  it(
    `images are listed before they are written, and go if their file has gone meanwhile, on ${name}`,
    slow,
    async (test) => {
      const files = new Map<string, Buffer>()
      let beforeVariant = async (_key: string): Promise<void> => undefined
      const storage: MediaStorage = {
        write: async (key, source) => void files.set(key, await buffer(source)),
        async adopt(key, path) {
          const content = readFileSync(path)
          if (key.startsWith('variants/')) await beforeVariant(key)
          files.set(key, content)
        },
        stat: async (key) => (files.has(key) ? { size: files.get(key)?.length ?? 0 } : undefined),
        read: async (key) => (files.has(key) ? Readable.from([files.get(key)]) : undefined),
        delete: async (key) => void files.delete(key),
      }
      const memory = definePlugin({
        name: 'memory',
        description: 'Keeps files in memory',
        register({ contribute }) {
          contribute(mediaStorages, { type: 'memory', open: () => storage })
        },
      })
      const env = { STORAGE_TYPE: 'memory' }
      const service = await startMediaService({ database: name, env, plugins: [memory] })
      test.after(() => service.stop())
      const rows = variantsTable.on(service.kernel.get(databaseService)).find(['file'])
      const media = await service.add(await image(300, 200), 'a.png')
      const filename: string = media.filename
      const seen: unknown[] = []
      beforeVariant = async () => {
        seen.push(...(await rows.all({ file: filename })).map(({ ops, bytes }) => [ops, bytes]))
        expectStatus(await service.admin.delete(`/api/media/${media.id}`), 200)
        await service.kernel.get(jobsService).drain()
      }
      assert.equal((await service.fetchFile(`${media.url}/w64.webp`)).response.status, 404)
      assert.deepEqual(seen, [['w64.webp', 0]])
      assert.deepEqual([[...files.keys()], await rows.all({ file: filename })], [[], []])
      const { url } = await service.add(await image(300, 200), 'b.png')
      let written = 0
      beforeVariant = async () => void written++
      await Promise.all(Array.from({ length: 8 }, () => imageAt(service, `${url}/w64.webp`)))
      assert.equal(written, 1)
    },
  )
})
