import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { adapters, skipWithoutNative } from '../support/adapters.ts'
import { recordingLog } from '../support/recording-log.ts'
import { slow } from '../support/scope.ts'
import { openConnection } from './raw-connection.ts'
import { type ServiceOptions, startService } from './service.ts'

const get = 'GET /api/livez HTTP/1.1\r\nhost: x\r\n\r\n'

describe('an idle connection on node-http', () => {
  it('is kept for longer than proxies keep theirs', async () => {
    const service = await startService({ adapter: 'node-http' })
    assert.equal((await service.fetch('/livez')).headers.get('keep-alive'), 'timeout=75')
    await service.stop()
  })

  it('is closed after the time that is set', slow, async () => {
    const service = await startService({ adapter: 'node-http', env: { SVC_SERVER_IDLE_TIMEOUT_MS: '1000' } })
    const connection = await openConnection(service.http.url)
    connection.write(get)
    assert.match(await connection.read(), /\r\nkeep-alive: timeout=1\r\n/i)
    await connection.readToEnd()
    await service.stop()
  })

  it('is closed when the service stops', async () => {
    const service = await startService({ adapter: 'node-http' })
    const connection = await openConnection(service.http.url)
    connection.write(get)
    await connection.read()
    await service.stop()
    await connection.readToEnd()
  })
})

describe('a start with a time for idle connections', () => {
  const warningsOf = async (adapter: ServiceOptions['adapter'], env: Record<string, string>) => {
    const { log, lines } = recordingLog()
    const service = await startService({ adapter, env, log })
    await service.stop()
    return lines.filter(({ message }) => message.includes('server.idleTimeoutMs'))
  }

  const set = { SVC_SERVER_IDLE_TIMEOUT_MS: '60000' }
  it('says nothing of a default, or where it holds', async () => {
    for (const adapter of adapters) assert.deepEqual(await warningsOf(adapter, {}), [])
    assert.deepEqual(await warningsOf('node-http', set), [])
  })

  it('says where it does not hold', { skip: skipWithoutNative }, async () => {
    const [warning] = await warningsOf('hyper-express', set)
    assert.equal(warning?.level, 'warn')
    assert.match(warning?.message ?? '', /8 to 12 s.*keepalive_timeout 5s.*node-http/)
  })
})
