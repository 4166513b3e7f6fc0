import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { CreateMultipartUploadCommand, S3Client } from '@aws-sdk/client-s3'
import { abortUnfinished } from '../../core-plugins/administration/storage-s3/unfinished-uploads.ts'
import { startMediaService } from '../api/media-support.ts'
import { slow } from '../support/scope.ts'
import { until } from '../support/until.ts'
import { type ListingStore, startListingStore } from './listing-store.ts'
import { type S3Store, startS3Store } from './s3-store.ts'

const dayMs = 24 * 60 * 60_000
const bucket = 'media'

describe('uploads in parts whose process was killed', () => {
  let store: S3Store
  let listing: ListingStore
  let client: S3Client

  before(async () => {
    store = await startS3Store(bucket)
    listing = await startListingStore(store)
    client = new S3Client({
      ...{ region: 'us-east-1', endpoint: store.url, forcePathStyle: true },
      credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    })
  })
  after(async () => {
    client.destroy()
    listing.close()
    await store.close()
  })

  async function begin(Key: string, ageMs: number): Promise<string> {
    const { UploadId = '' } = await client.send(new CreateMultipartUploadCommand({ Bucket: bucket, Key }))
    store.age(bucket, UploadId, ageMs)
    return Key
  }

  it('are taken back after a day, and no others', slow, async () => {
    const key = (letter: string) => `${letter.repeat(32)}.png`
    for (const letter of ['a', 'b', 'c']) await begin(`site/${key(letter)}`, 2 * dayMs)
    await begin(`site/variants/${key('a')}/w64.webp`, 2 * dayMs)
    const others = [
      await begin(`site/${key('d')}`, dayMs / 2),
      await begin(`elsewhere/${key('a')}`, 2 * dayMs),
      await begin('site/report.pdf', 2 * dayMs),
    ]
    const env = { ...store.env(bucket), STORAGE_S3_ENDPOINT: listing.url, STORAGE_S3_PREFIX: 'site/' }
    const service = await startMediaService({ env: { ...env, STORAGE_TYPE: 's3' } })
    try {
      const left = () => store.uploads(bucket).map((upload) => upload.key)
      await until(() => left().length <= others.length, 'they are taken back')
      assert.deepEqual(left().sort(), others.sort())
    } finally {
      await service.stop()
    }
  })

  it('are looked for once where a store does not know where a page ended', async () => {
    for (const name of ['w', 'x', 'y', 'z']) await begin(`unmarked/${name}`, 2 * dayMs)
    const unmarked = await startListingStore(store, false)
    const keys = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
    const asking = new S3Client({
      ...{ region: 'us-east-1', endpoint: unmarked.url, forcePathStyle: true, credentials: keys },
    })
    const given = { bucket, prefix: 'unmarked/', olderThanMs: dayMs, isOurs: (name: string) => name === 'x' }
    assert.equal(await abortUnfinished(asking, given), 1)
    asking.destroy()
    unmarked.close()
  })
})
