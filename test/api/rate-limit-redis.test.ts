import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { redisEnv, withRedis } from '../support/redis.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'

const limited = { SVC_RATE_LIMIT_ENABLED: 'true', SVC_RATE_LIMIT_MAX: '10' }
const path = '/api/nowhere'

const remainingOf = async (service: TestService) =>
  Number((await service.get(path)).headers.get('ratelimit-remaining'))

withRedis('the rate limit with Redis', (url) => {
  it('counts over all processes', async () => {
    const env = { ...redisEnv(url), ...limited }
    const [here, there] = [await startService({ env }), await startService({ env })]
    try {
      // Both have made requests of their own at the start: each signs in its admin.
      const before = await remainingOf(here)
      assert.equal(await remainingOf(there), before - 1)
      for (let left = before - 2; left >= 0; left--) assert.equal(await remainingOf(here), left)
      const refused = await there.get(path)
      assert.equal(refused.status, 429)
      assert.ok(Number(refused.headers.get('retry-after')) > 0)
    } finally {
      await Promise.all([here.stop(), there.stop()])
    }
  })

  it('counts clients of services with another prefix for themselves', async () => {
    const one = await startService({ env: { ...redisEnv(url), ...limited } })
    const two = await startService({ env: { ...redisEnv(url), ...limited } })
    try {
      assert.equal(await remainingOf(one), await remainingOf(two))
    } finally {
      await Promise.all([one.stop(), two.stop()])
    }
  })

  for (const failure of ['cut', 'freeze'] as const) {
    it(`goes on in each process while Redis is gone (${failure}), and over all when it is back`, async () => {
      const proxy = await startTcpProxy(Number(new URL(url).port || 6379))
      // More than are sent in the while in which a process counts by itself.
      const env = {
        ...redisEnv(`redis://127.0.0.1:${proxy.port}`),
        ...{ ...limited, SVC_RATE_LIMIT_MAX: '1000000' },
      }
      const service = await startService({ env })
      try {
        const shared = await remainingShared(service)
        await proxy[failure]()
        // Not necessarily the first one: a busy machine may have lost Redis for a moment at the start.
        const own = await remainingOf(service)
        assert.equal(await remainingOf(service), own - 1)
        await proxy.mend()
        assert.equal(await remainingAgain(service), shared - 1)
      } finally {
        await service.stop()
        await proxy.close()
      }
    })
  }
})

/** What is left of the limit over all processes; a busy machine may have lost Redis for a moment at the start. */
async function remainingShared(service: TestService): Promise<number> {
  const remaining = await remainingOf(service)
  const told = service.logLines.findLast(({ message }) => message.includes('rate limit'))
  return told?.message.startsWith('the shared rate limit failed') ? remainingAgain(service) : remaining
}

/** Sends requests until one is counted over all processes again, and tells what that one had left. */
async function remainingAgain(service: TestService): Promise<number> {
  const startedAtMs = performance.now()
  const linesBefore = service.logLines.length
  while (performance.now() - startedAtMs < 10_000) {
    const remaining = await remainingOf(service)
    if (
      service.logLines.slice(linesBefore).some(({ message }) => message.startsWith('the rate limit counts'))
    )
      return remaining
  }
  throw new Error('waited in vain')
}

describe('the rate limit without Redis', slow, () => {
  it('counts in each process', async () => {
    const one = await startService({ env: limited })
    const two = await startService({ env: limited })
    try {
      assert.equal(await remainingOf(one), await remainingOf(two))
    } finally {
      await Promise.all([one.stop(), two.stop()])
    }
  })
})
