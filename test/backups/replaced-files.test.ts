import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { jobsService } from '../../core-plugins/background/jobs/jobs.ts'
import { expectStatus } from '../api/auth-callers.ts'
import { image } from '../api/media-support.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { until } from '../support/until.ts'
import { type BackupWorld, startBackupWorld } from './backup-world.ts'

interface File {
  readonly id: number
  readonly url: string
}

eachDatabase(({ name }) => {
  describe('files that were replaced, in a backup', () => {
    let source: BackupWorld
    let target: BackupWorld
    let archive: Uint8Array<ArrayBuffer>
    let former: File
    let present: File
    let book: number

    before(async () => {
      ;[source, target] = await Promise.all([
        startBackupWorld({ database: name }),
        startBackupWorld({ database: name }),
      ])
      former = await source.add(await image(30, 20), 'a.png')
      const data = { title: 'With a picture', text: `<img src="${former.url}" alt="">` }
      book = expectStatus(await source.admin.post('/api/content/book', data), 201).body.data.id
      present = await replace(source, former.id)
      await leadsTo(source, former.url, present.url)
      archive = await source.download((await source.backUp()).id)
    })
    after(() => Promise.all([source?.stop(), target?.stop()]))

    async function replace(world: BackupWorld, id: number): Promise<File> {
      const part = { name: 'file', content: await image(50, 20), filename: 'b.png' }
      return expectStatus(await world.send('PUT', `/api/media/${id}/file`, [part]), 200).body.data
    }

    const leadsTo = (world: BackupWorld, from: string, to: string) =>
      until(async () => {
        const answer = await fetch(world.url + from, { redirect: 'manual' })
        return answer.status === 302 && answer.headers.get('location') === to
      }, `${from} leads to ${to}`)

    const usedIn = async (world: BackupWorld, id: number): Promise<string[]> => {
      const { body } = expectStatus(await world.admin.get(`/api/media/${id}/usage`), 200)
      return body.data.map((usage: { id: number; field: string }) => `${usage.id} ${usage.field}`)
    }

    it(
      'are led to at their former addresses, and used by the texts, wherever it is restored',
      slow,
      async () => {
        const own = await target.add(await image(10, 10), 'own.png')
        const ownPresent = await replace(target, own.id)
        await leadsTo(target, own.url, ownPresent.url)
        assert.equal((await fetch(target.url + former.url)).status, 404)

        expectStatus(await target.restore(await target.take(archive)), 200)
        await target.kernel.get(jobsService).drain()
        const { response, bytes } = await target.fetchFile(former.url)
        assert.deepEqual([response.status, response.url], [200, target.url + present.url])
        assert.deepEqual(bytes, (await source.fetchFile(present.url)).bytes)
        assert.deepEqual(await usedIn(target, present.id), [`${book} text`])
        await until(
          async () => (await fetch(target.url + own.url)).status === 404,
          'the files that the target had before are gone',
        )
      },
    )

    it('are themselves again once a backup from before is restored', slow, async () => {
      const file = await source.add(await image(31, 20), 'c.png')
      const { id } = await source.backUp()
      const next = await replace(source, file.id)
      await leadsTo(source, file.url, next.url)
      expectStatus(await source.restore(id), 200)
      await until(async () => (await fetch(source.url + next.url)).status === 404, 'the later file is gone')
      const { response } = await source.fetchFile(file.url)
      assert.deepEqual([response.status, response.url], [200, source.url + file.url])
      await leadsTo(source, former.url, present.url)
    })

    it('stay where only content is restored', slow, async () => {
      const { id } = await source.backUp({ sections: { content: true } })
      const third = await replace(source, former.id)
      expectStatus(await source.restore(id), 200)
      await source.kernel.get(jobsService).drain()
      for (const { url } of [former, present]) await leadsTo(source, url, third.url)
      assert.deepEqual(await usedIn(source, former.id), [`${book} text`])
    })
  })
})
