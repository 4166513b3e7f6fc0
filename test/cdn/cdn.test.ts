import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { createRandomWrites, randomFrom, reads } from '../cache/random-writes.ts'
import { schemas } from '../cache/world.ts'
import { createClient } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { startProcess } from '../support/process.ts'
import { createProject, type Project } from '../support/project.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { type CdnDouble, startCdnDouble } from './cdn-double.ts'
import { doubleEnv, isQuiet, letAllRead, withPolicy } from './cdn-world.ts'

const rounds = Number(process.env.CDN_ROUNDS ?? 60)
const seed = Number(process.env.CDN_SEED ?? 20_261_123)
const types = ['author', 'tag', 'article', 'comment', 'home']
const policed = withPolicy(schemas, { sMaxAge: 3_600 })

eachDatabase(({ name }) => {
  let double: CdnDouble
  let project: Project
  let first: TestService
  let second: TestService

  before(async () => {
    double = await startCdnDouble()
    project = await createProject({ database: name, schemas: policed })
    const env = {
      ...doubleEnv(double.url),
      SVC_CDN_SECOND_PURGE_MS: '150',
      SVC_LOCALIZATION_LOCALES: '["en","de"]',
      SVC_CDN_PURGES_PER_MINUTE: '100000',
    }
    const start = () =>
      startService({ database: { url: project.env.DATABASE_URL ?? '' }, schemas: policed, env })
    first = await start()
    second = await start()
    double.origin = first.url
    await letAllRead(first.admin, types)
  })
  after(async () => {
    await first.stop()
    await second.stop()
    await project.remove()
    await double.close()
  })

  it('what a CDN keeps is what the service says, once it has been told of all writes', slow, async () => {
    const random = randomFrom(seed)
    const write = createRandomWrites(random, [first.admin, second.admin])
    const cdn = createClient(double.url)
    const origin = createClient(first.url)
    let compared = 0
    for (let round = 0; round < 25; round++) await write.next()
    for (let round = 0; round < rounds; round++) {
      double.origin = random() < 0.5 ? first.url : second.url
      // Reads are under way while it is written.
      const reading = reads.filter(() => random() < 0.3).map((path) => cdn.get(path))
      await write.next()
      await Promise.all(reading)
      if (round % 5 !== 4) continue
      await until(() => isQuiet(first), 'the CDN has been told of everything')
      for (const [path, { etag, body }] of double.objects) {
        const { headers, body: now } = await origin.get(path)
        const place = `${path}, seed ${seed}, round ${round}`
        assert.deepEqual(JSON.parse(body), now, place)
        assert.equal(etag, headers.get('etag'), place)
        compared += 1
      }
    }
    assert.ok(compared > 50, `too few answers were kept: ${compared}`)
    assert.ok(double.hits > 20, `too few answers came from the CDN: ${double.hits}`)
  })
})

eachDatabase(({ name }) => {
  it(
    'a purge whose process was killed before the second time is repeated by the next one',
    slow,
    async () => {
      const double = await startCdnDouble()
      const env = { ...doubleEnv(double.url), SVC_CDN_SECOND_PURGE_MS: '60000', SVC_JOBS_LEASE_MS: '1000' }
      const project = await createProject({ database: name, schemas: policed, env })
      try {
        const killed = startProcess({ project })
        const admin = await killed.signIn()
        const write = async (name: string) => {
          const before = double.purges.length
          const { status } = await admin.post('/api/content/author', { name })
          assert.equal(status, 201)
          await until(() => double.purges.length > before, 'the CDN is purged')
        }
        await write('Ada')
        const told = new Set(double.purges.flatMap(({ tags }) => tags))
        // When the second stretch is purged, whatever the job does after the first one has been done.
        await write('Grace')
        await killed.end('SIGKILL')
        const count = double.purges.length
        const next = startProcess({ project })
        await next.ready()
        const isRepeated = () => {
          const again = new Set(double.purges.slice(count).flatMap(({ tags }) => tags))
          return [...told].every((tag) => again.has(tag))
        }
        await until(isRepeated, 'all of it is purged again')
        await next.end('SIGKILL')
      } finally {
        await project.remove()
        await double.close()
      }
    },
  )
})
