import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { explain } from '../../core-plugins/administration/storage-s3/explain.ts'
import { type MediaService, startMediaService } from '../api/media-support.ts'
import { slow } from '../support/scope.ts'
import { until } from '../support/until.ts'
import { type Fault, type FaultyStore, startFaultyStore } from './faulty-store.ts'
import { type S3Store, startS3Store } from './s3-store.ts'

interface Case {
  readonly fault: Fault
  /** Those that meet it; all by default. */
  readonly methods?: readonly string[]
  readonly status?: number
  /** Of the alert. */
  readonly named: string
  /** In the alert and in the log. */
  readonly told: RegExp
}

const refusal = (status: number, code: string): Fault => ({ kind: 'refusal', status, code })
const writes = ['PUT', 'POST']

const cases: Readonly<Record<string, Case>> = {
  'a wrong key': {
    fault: refusal(403, 'InvalidAccessKeyId'),
    named: 'credentials',
    told: /InvalidAccessKeyId.*look at STORAGE_S3_ACCESS_KEY_ID and STORAGE_S3_SECRET_ACCESS_KEY/,
  },
  'a wrong clock': {
    fault: refusal(403, 'RequestTimeTooSkewed'),
    named: 'clock',
    told: /clock of this machine/,
  },
  'a bucket that is gone': {
    fault: refusal(404, 'NoSuchBucket'),
    named: 'missing',
    told: /NoSuchBucket.*STORAGE_S3_BUCKET/,
  },
  'a bucket that may only be read': {
    fault: refusal(403, 'AccessDenied'),
    methods: writes,
    named: 'denied',
    told: /nothing can be written to the bucket media.*get, put and delete/,
  },
  'a bucket in another region': {
    fault: refusal(400, 'AuthorizationHeaderMalformed'),
    named: 'settings',
    told: /look at STORAGE_S3_REGION and STORAGE_S3_ENDPOINT/,
  },
  'a quota': {
    fault: refusal(403, 'QuotaExceeded'),
    methods: writes,
    status: 507,
    named: 'full',
    told: /quota/,
  },
  'a full store': {
    fault: refusal(507, 'XMinioStorageFull'),
    methods: writes,
    status: 507,
    named: 'full',
    told: /make room in the bucket/,
  },
  'a fault of the store': {
    fault: refusal(500, 'InternalError'),
    methods: writes,
    named: 'failing',
    told: /log of the store at STORAGE_S3_ENDPOINT/,
  },
  'a server that answers 200 to everything': {
    fault: { kind: 'nod' },
    named: 'foreign',
    told: /no store that speaks S3: look at STORAGE_S3_ENDPOINT/,
  },
}

describe('a bucket that does not work', () => {
  let store: S3Store
  let faulty: FaultyStore
  let service: MediaService

  before(async () => {
    store = await startS3Store('media')
    faulty = await startFaultyStore(store.url)
    const env = { ...store.env('media'), STORAGE_TYPE: 's3', STORAGE_S3_ENDPOINT: faulty.url }
    service = await startMediaService({ env })
  })
  afterEach(() => faulty.work())
  after(async () => {
    await service.stop()
    faulty.close()
    await store.close()
  })

  const openAlerts = async () => {
    const { body } = await service.admin.get('/api/admin/operational-alerts?kind=storage_failed&status=open')
    return body.data as { message: string; severity: string; details: { fault: string } }[]
  }
  const readiness = async () => {
    const { status, body } = await service.get('/api/readyz')
    return { status, degraded: body.data?.degraded }
  }

  for (const [name, { fault, methods, status = 503, named, told }] of Object.entries(cases)) {
    it(`names ${name} to the operator, and recovers by itself`, slow, async () => {
      faulty.fail(fault, methods)
      const { status: answered, body } = await service.upload('0123456789', 'a.txt')
      const { code, message } = body.error
      assert.deepEqual([answered, code], [status, status === 507 ? 'STORAGE_FULL' : 'UNAVAILABLE'])
      assert.match(message, /^the store of files/)
      assert.doesNotMatch(message, /media|S3|127\.0\.0\.1/)
      await until(async () => (await openAlerts()).length > 0, 'an alert is raised')
      const [alert, ...more] = await openAlerts()
      assert.deepEqual([alert?.details.fault, alert?.severity, more], [named, 'critical', []])
      assert.match(alert?.message ?? '', told)
      assert.doesNotMatch(JSON.stringify(alert), /S3RVER/)
      assert.ok(service.logLines.some(({ message: line }) => told.test(line)))
      assert.deepEqual(await readiness(), { status: 200, degraded: ['access to files'] })
      faulty.work()
      await until(async () => (await openAlerts()).length === 0, 'the alert is resolved')
      assert.deepEqual(await readiness(), { status: 200, degraded: undefined })
      await service.add('0123456789', 'a.txt')
    })
  }

  it('does not take an upload in parts for stored where nothing confirms them', slow, async () => {
    faulty.fail({ kind: 'nod' })
    const { status } = await service.upload('x'.repeat(9 * 1024 * 1024), 'a.txt')
    assert.equal(status, 503)
    assert.ok(
      service.logLines.some(({ message, ...line }) => /confirm/.test(JSON.stringify([message, line]))),
    )
    faulty.work()
    await until(async () => (await openAlerts()).length === 0, 'the alert is resolved')
  })

  it('has no file taken for an empty one by those who would keep it for a year', slow, async () => {
    const { url } = await service.add('0123456789', 'a.txt')
    faulty.fail({ kind: 'nod' })
    assert.equal((await service.get(url)).status, 503)
    await until(async () => (await openAlerts()).length > 0, 'an alert is raised')
    faulty.work()
    assert.equal((await service.fetchFile(url)).bytes.toString(), '0123456789')
    await until(async () => (await openAlerts()).length === 0, 'the alert is resolved')
  })

  it('raises no alert where the next request works', slow, async () => {
    const { url } = await service.add('0123456789', 'a.txt')
    faulty.fail(refusal(403, 'AccessDenied'), ['GET'])
    const before = faulty.requests
    assert.equal((await service.get(url)).status, 503)
    faulty.work()
    await until(() => faulty.requests > before + 3, 'it is tried out')
    assert.deepEqual(await openAlerts(), [])
  })

  it('is not taken for a bucket without the file if it is gone', slow, async () => {
    const { url } = await service.add('0123456789', 'a.txt')
    faulty.fail(refusal(404, 'NoSuchBucket'))
    await until(async () => (await service.get(url)).status === 503, 'it is looked for')
  })
})

it('what a store says is told to its first 500 letters', () => {
  const names = { bucket: 'B', endpoint: 'E', region: 'R', credentials: 'C', timeout: 'T' }
  const { text } = explain(new Error('so '.repeat(100_000)), names)
  assert.match(text, /^so so /)
  assert.ok(text.length < 1_000)
})
