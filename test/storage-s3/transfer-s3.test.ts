import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { TransferSide } from '../../core-plugins/administration/transfer/transfer.ts'
import { expectStatus } from '../api/auth-callers.ts'
import { image } from '../api/media-support.ts'
import {
  differencesBetween,
  type Place,
  remoteOf,
  startPlace,
  transfer,
  transferSideOf,
} from '../contract/transfer-world.ts'
import { slow } from '../support/scope.ts'
import { until } from '../support/until.ts'
import { type S3Store, startS3Store } from './s3-store.ts'

const bucket = 'media'

let store: S3Store
let here: Place
let there: Place
let side: TransferSide
let remote: TransferSide

const keys = () => store.keys(bucket, 'site')
const files = async (place: Place) => {
  const { body } = await place.service.admin.get('/api/media?sort=originalName')
  return body.data as { id: number; originalName: string; url: string; filename: string; formats: object }[]
}
const bytesOf = async (place: Place, url: string) => (await place.service.fetchFile(url)).bytes

describe('a transfer with a bucket on one side', slow, () => {
  before(async () => {
    store = await startS3Store(bucket)
    const env = { ...store.env(bucket), STORAGE_TYPE: 's3', STORAGE_S3_PREFIX: 'site/' }
    ;[here, there] = await Promise.all([startPlace('sqlite'), startPlace('sqlite', env)])
    side = transferSideOf(here)
    remote = await remoteOf(there)
  })
  after(async () => {
    await Promise.all([here?.service.stop(), there?.service.stop()])
    await store?.close()
  })

  it('files go from a folder into a bucket, with thumbnails made there, and come back', async () => {
    const picture = Buffer.from(await image(900, 20))
    // Larger than a part of an upload to the bucket, and than a chunk of a transfer.
    const large = Buffer.from(randomBytes(5 * 1024 * 1024).toString('hex'))
    await here.service.add(new Uint8Array(picture), 'a.png')
    await here.service.add(new Uint8Array(large), 'b.txt')
    const { written } = await transfer(here, side, remote)
    assert.equal(written.files.length, 2)
    const [arrived, arrivedLarge] = await files(there)
    assert.ok(keys().includes(arrived?.filename ?? ''), `${keys()}`)
    assert.equal(keys().length, 2 + Object.keys(arrived?.formats ?? {}).length)
    assert.deepEqual(await bytesOf(there, arrived?.url ?? ''), picture)
    assert.deepEqual(await bytesOf(there, arrivedLarge?.url ?? ''), large)
    assert.deepEqual(await differencesBetween(side, remote), [])

    const other = Buffer.from(await image(500, 40))
    const part = { name: 'file', content: new Uint8Array(other), filename: 'a.png' }
    expectStatus(await there.service.send('PUT', `/api/media/${arrived?.id}/file`, [part]), 200)
    await there.service.add('made there', 'c.txt')
    const back = await transfer(here, remote, side)
    assert.deepEqual(back.written.files.map(({ file }) => file.name).sort(), ['a.png', 'c.txt'])
    const [changed, , made] = await files(here)
    assert.deepEqual(await bytesOf(here, changed?.url ?? ''), other)
    assert.equal((await bytesOf(here, made?.url ?? '')).toString(), 'made there')
    assert.deepEqual(await differencesBetween(side, remote), [])
  })

  it('what is refused leaves nothing in the bucket, nor does what is removed', async () => {
    const before = keys().length
    await here.service.add('refused', 'd.txt')
    const failing: TransferSide = {
      ...remote,
      async apply(written) {
        // Written at the target since it was compared.
        const [first] = await files(there)
        expectStatus(
          await there.service.admin.put(`/api/media/${first?.id}`, { alt: `${Math.random()}` }),
          200,
        )
        return remote.apply(written)
      },
    }
    const [own] = await files(here)
    expectStatus(await here.service.admin.put(`/api/media/${own?.id}`, { caption: 'here' }), 200)
    await assert.rejects(transfer(here, side, failing), { code: 'CONFLICT' })
    await until(() => keys().length === before)
    await transfer(here, side, remote, { onConflict: 'source' })
    assert.equal(keys().length, before + 1)
    for (const { id } of await files(here))
      expectStatus(await here.service.admin.delete(`/api/media/${id}`), 200)
    await transfer(here, side, remote, { isDeleting: true })
    assert.deepEqual(await files(there), [])
    await until(() => keys().length === 0)
  })
})
