import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { testAdmin } from '../../testing/environment.ts'
import { adapters } from '../support/adapters.ts'
import { createClient } from '../support/client.ts'
import { slow } from '../support/scope.ts'
import type { TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import {
  blockLoop,
  dearPath,
  isRefused,
  notesPath,
  type OverloadWorld,
  startWorld,
} from './overload-world.ts'

const metricsToken = 'a token that reads metrics'

/** Late by far more than allowed whenever the loop is blocked, and never otherwise. */
const lateness = {
  SVC_OVERLOAD_LOOP_DELAY_MS: '3',
  SVC_OVERLOAD_INTERVAL_MS: '30',
  SVC_OVERLOAD_ALERT_AFTER_MS: '0',
  METRICS_TOKEN: metricsToken,
}
const blockedMs = 100

for (const adapter of adapters) {
  describe(`a service on ${adapter} whose event loop is late`, () => {
    let world: OverloadWorld
    let unblock = () => {}

    before(async () => {
      world = await startWorld({ env: lateness, adapter })
    })
    afterEach(() => unblock())
    after(() => world.service.stop())

    /** The two classes, that which is refused last first. */
    async function askAll(): Promise<boolean[]> {
      const { service } = world
      return [isRefused(await service.get(notesPath)), isRefused(await service.get(dearPath))]
    }

    const untilAllAreRefused = () => until(async () => (await askAll()).every(Boolean), 'all are refused')
    const untilNoneIs = () => until(async () => !(await askAll()).some(Boolean), 'none is refused')

    /** A cheap read that was refused; the pressure may fall for a moment after it was. */
    async function refusal() {
      for (;;) {
        await untilAllAreRefused()
        const reply = await world.service.get(notesPath)
        if (reply.status === 503) return reply
      }
    }

    it('refuses dear reads of strangers first, and takes all on again when it is over', slow, async () => {
      await untilNoneIs()
      unblock = blockLoop(blockedMs)
      let refused: boolean[] = []
      do {
        refused = await askAll()
        const first = refused.indexOf(true)
        // The pressure only rises, so whatever is asked after something refused is refused too.
        if (first >= 0) assert.ok(refused.slice(first).every(Boolean), `refused: ${refused}`)
      } while (!refused.every(Boolean))
      unblock()
      await untilNoneIs()
    })

    it(
      'answers probes, metrics, the panel, whoever has an account and who signs in all along',
      slow,
      async () => {
        const { service, token } = world
        unblock = blockLoop(blockedMs)
        await untilAllAreRefused()
        const metrics = createClient(service.url, metricsToken)
        const credentials = { identifier: testAdmin.email, password: testAdmin.password }
        const answers = {
          livez: await service.get('/api/livez'),
          readyz: await service.get('/api/readyz'),
          status: await service.get('/api/database/status'),
          panel: await service.get('/admin'),
          metrics: await metrics.get('/api/metrics'),
          signIn: await service.post('/api/admin/auth/login', credentials),
          list: await service.admin.get(dearPath),
          write: await service.admin.post(notesPath, { body: 'd' }),
          listOfToken: await token.get(dearPath),
          writeOfToken: await token.post(notesPath, { body: 'e' }),
          graphqlOfToken: await token.post('/api/graphql', { query: '{ notes { data { id } } }' }),
        }
        const statuses = Object.entries(answers).map(([what, { status }]) => [what, status])
        assert.deepEqual(
          statuses.filter(([, status]) => Number(status) >= 300),
          [],
        )
        const text: string = answers.metrics.body
        assert.match(text, /^mortise_overload_pressure (1\.\d+|2)$/m)
        assert.match(
          text,
          /^mortise_overload_refused_requests\{class="anonymous",reason="overload"[^}]*\} [1-9]/m,
        )
      },
    )

    it('says when to come back and what to do, and is not to be cached', async () => {
      unblock = blockLoop(blockedMs)
      const { headers, body } = await refusal()
      assert.match(String(headers.get('retry-after')), /^[123]$/)
      assert.equal(headers.get('cache-control'), 'no-store')
      assert.equal(body.success, false)
      assert.equal(body.error.code, 'UNAVAILABLE')
      assert.equal(body.error.reason, 'overload')
      assert.equal(
        body.error.message,
        `the service has more to do than it can: try again in ${headers.get('retry-after')} s`,
      )
      assert.equal(body.error.requestId, headers.get('x-request-id'))
    })

    it('takes nobody for somebody with an account who only claims to be', async () => {
      unblock = blockLoop(blockedMs)
      await untilAllAreRefused()
      const forged = createClient(world.service.url, 'made up')
      assert.equal((await forged.get(notesPath)).status, 401)
      // Where wrong credentials are no reason to refuse, they are no reason to be preferred either.
      assert.ok(isRefused(await forged.get('/api/uploads/none.png')))
    })

    it('refuses GraphQL queries of strangers as it does reads', async () => {
      unblock = blockLoop(blockedMs)
      await untilAllAreRefused()
      const query = { query: '{ notes { data { id } } }' }
      assert.ok(isRefused(await world.service.post('/api/graphql', query)))
    })
  })
}

describe('an overload', slow, () => {
  let service: TestService

  before(async () => {
    // It is over after 25 intervals without a refusal, within which this test has to ask again.
    ;({ service } = await startWorld({ env: { ...lateness, SVC_OVERLOAD_INTERVAL_MS: '200' } }))
  })
  after(() => service.stop())

  const linesOf = (words: string) =>
    service.logLines.filter(({ message }) => message.startsWith(words)).length
  const isRefusedNow = async () => isRefused(await service.get(notesPath))

  async function alerts(): Promise<{ status: string; count: number }[]> {
    return (await service.admin.get('/api/admin/operational-alerts?kind=overload')).body.data
  }

  it('is told of once in the log and once by an alert, however much is refused', async () => {
    const unblock = blockLoop(blockedMs)
    try {
      await until(isRefusedNow, 'a refusal')
      await until(async () => (await isRefusedNow()) && (await alerts()).length > 0, 'an alert')
      for (let i = 0; i < 20; i += 1) await isRefusedNow()
      assert.equal(linesOf('overload: refuses'), 1)
      const [alert, ...more] = await alerts()
      assert.deepEqual([alert?.count, alert?.status, more.length], [1, 'open', 0])
    } finally {
      unblock()
    }
    await until(() => linesOf('the overload is over') === 1, 'it is over')
    await until(async () => (await alerts())[0]?.status === 'resolved', 'the alert is resolved')
    const ofRequests = service.logLines.filter(({ path, status }) => path === notesPath && status === 503)
    assert.deepEqual(ofRequests, [])
  })
})

describe('without the plugin, or with it switched off at run time', slow, () => {
  for (const env of [{ SVC_PLUGINS_DISABLED: 'overload' }, { SVC_OVERLOAD_ENABLED: 'false' }]) {
    it(`nothing is refused: ${Object.keys(env)}`, async () => {
      const { service } = await startWorld({ env: { ...lateness, ...env } })
      const unblock = blockLoop(blockedMs)
      try {
        for (let i = 0; i < 30; i += 1) assert.equal((await service.get(dearPath)).status, 200)
      } finally {
        unblock()
        await service.stop()
      }
    })
  }

  it('whoever switches it off is served at once', async () => {
    const { service } = await startWorld({
      // Unset: what the environment says cannot be changed at run time.
      env: { ...lateness, SVC_OVERLOAD_ENABLED: '' },
    })
    const unblock = blockLoop(blockedMs)
    try {
      await until(async () => isRefused(await service.get(notesPath)), 'a refusal')
      const changed = await service.admin.put('/api/admin/config', { 'overload.enabled': false })
      assert.equal(changed.status, 200)
      assert.equal((await service.get(notesPath)).status, 200)
      assert.equal((await service.get(dearPath)).status, 200)
    } finally {
      unblock()
      await service.stop()
    }
  })
})
