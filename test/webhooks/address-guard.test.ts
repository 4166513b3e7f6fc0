import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { LookupFunction } from 'node:net'
import { describe, it } from 'node:test'
import {
  type AddressGuard,
  createAddressGuard,
  openGuard,
  refusedRange,
} from '../../core-plugins/foundation/outgoing/address-guard.ts'
import { createSender } from '../../core-plugins/foundation/outgoing/outgoing.ts'
import { ok } from './receiver.ts'
import { withReceiver } from './webhooks-world.ts'

const message = { body: Buffer.from('{}'), headers: { 'content-type': 'application/json' } }
const allowedBy = 'webhooks.allowPrivateNetworks'
const never = new AbortController().signal

/** One attempt with a sender of its own. */
async function attempt(guard: AddressGuard, url: string, timeoutMs = 5_000) {
  const sender = createSender(guard)
  try {
    return await sender.send({ url, message, timeoutMs, signal: never })
  } finally {
    await sender.close()
  }
}

/** Answers these addresses in turn, whatever the name. */
function lookupOf(...answers: string[][]): LookupFunction {
  let count = 0
  return (_hostname, _options, callback) => {
    const addresses = answers[Math.min(count++, answers.length - 1)] ?? []
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    callback(null, found as never)
  }
}

describe('the address guard', () => {
  const refused = [
    ...['127.0.0.1', '127.255.255.254', '0.0.0.0', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
    ...['169.254.169.254', '100.64.0.1', '100.100.100.200', '192.0.0.192', '198.18.0.1', '192.0.2.1'],
    ...['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', '168.63.129.16'],
    ...['::', '::1', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'fd00:ec2::254', 'ff02::1', 'fec0::1'],
    ...['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::127.0.0.1', '::ffff:0:127.0.0.1'],
    ...['64:ff9b::7f00:1', '64:ff9b::10.0.0.1', '64:ff9b:1::7f00:1', '2002:7f00:1::', '2002:a00:1::1'],
    ...['2001::1', '2001:db8::1', '100::1', '5f00::1', '3fff::1', 'not an address', ''],
  ]
  for (const address of refused) {
    it(`refuses ${address === '' ? 'nothing' : address}`, () => assert.ok(refusedRange(address)))
  }

  const allowed = [
    ...['1.1.1.1', '93.184.216.34', '172.15.255.255', '172.32.0.1', '::ffff:8.8.8.8'],
    ...['2606:4700:4700::1111', '2a00:1450:4001::1', '64:ff9b::808:808'],
  ]
  for (const address of allowed) {
    it(`lets ${address} pass`, () => assert.equal(refusedRange(address), undefined))
  }
})

describe('a guarded sender', () => {
  it('reaches no private address, however it is written', () =>
    withReceiver(async ({ port, received }) => {
      const hosts = [
        ...['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '127.1', '0x7f000001', '127.0.0.1.'],
        ...['[::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '0', 'localhost', '①②⑦.⓪.⓪.①'],
      ]
      for (const host of hosts) {
        const { statusCode, error } = await attempt(
          createAddressGuard({ allowedBy }),
          `http://${host}:${port}/hook`,
        )
        assert.equal(statusCode, null, host)
        assert.match(
          error ?? '',
          /is refused: (loopback|unspecified) addresses are not reached from production/,
          host,
        )
      }
      assert.equal(received.length, 0)
      assert.equal((await attempt(openGuard, `http://127.0.0.1:${port}/hook`)).statusCode, 200)
    }))

  it('checks the very address that it connects to', () =>
    withReceiver(async ({ port, received }) => {
      const url = `http://receiver.example:${port}/hook`
      const rebinding = createAddressGuard({ allowedBy, lookup: lookupOf(['93.184.216.34'], ['127.0.0.1']) })
      rebinding.lookup('receiver.example', { all: true }, (error, addresses) => {
        assert.deepEqual([error, addresses], [null, [{ address: '93.184.216.34', family: 4 }]])
      })
      assert.match(
        (await attempt(rebinding, url)).error ?? '',
        /receiver\.example \(127\.0\.0\.1\) is refused/,
      )
      const mixed = createAddressGuard({ allowedBy, lookup: lookupOf(['10.0.0.1', '93.184.216.34', '::1']) })
      mixed.lookup('receiver.example', {}, (error, address) =>
        assert.deepEqual([error, address], [null, '93.184.216.34']),
      )
      assert.match(
        (await attempt(createAddressGuard({ allowedBy, lookup: lookupOf([]) }), url)).error ?? '',
        /has no address/,
      )
      assert.equal(received.length, 0)
    }))
})

describe('a sender', () => {
  it('follows no redirect', () =>
    withReceiver((target) =>
      withReceiver(
        async ({ url }) => {
          const { statusCode, error } = await attempt(openGuard, url)
          assert.equal(statusCode, 307)
          assert.match(error ?? '', /redirects are not followed/)
          assert.equal(target.received.length, 0)
        },
        (_, response) => response.writeHead(307, { location: target.url }).end(),
      ),
    ))

  it('waits for an answer as long as it should', () =>
    withReceiver(
      async ({ url }) => {
        const { statusCode, error } = await attempt(openGuard, url, 50)
        assert.deepEqual([statusCode, error], [null, 'no answer within 50 ms'])
      },
      () => undefined,
    ))

  it('tells what is wrong with a receiver', async () => {
    const closed = await withReceiver(async ({ url }) => url)
    assert.match((await attempt(openGuard, closed)).error ?? '', /nothing listens there/)
    assert.match((await attempt(openGuard, 'http://nowhere.invalid/')).error ?? '', /host/)
    await withReceiver(
      async ({ url }) => assert.match((await attempt(openGuard, url)).error ?? '', /closed the connection/),
      (_, response) => response.destroy(),
    )
    await withReceiver(async ({ port }) => {
      const { statusCode, error } = await attempt(openGuard, `https://127.0.0.1:${port}/`)
      assert.equal(statusCode, null)
      assert.match(error ?? '', /SSL|EPROTO|TLS|closed/)
    })
  })

  it('reads little of what is answered, and is content with the status', async () => {
    let wantsMore = true
    let sentBytes = 0
    const server = createServer((request, response) => {
      request.resume()
      const chunk = Buffer.alloc(64 * 1024)
      const write = () => {
        while (wantsMore && response.write(chunk)) sentBytes += chunk.length
      }
      response.on('drain', write)
      response.on('close', () => {
        wantsMore = false
      })
      write()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = address !== null && typeof address === 'object' ? address.port : 0
    const { statusCode, error } = await attempt(openGuard, `http://127.0.0.1:${port}/`)
    assert.deepEqual([statusCode, error], [200, null])
    assert.ok(sentBytes < 64 * 1024 * 1024, `${sentBytes} bytes of an endless answer`)
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })

  it('keeps connections', () =>
    withReceiver(async ({ url, received }) => {
      const sender = createSender(openGuard)
      for (let count = 0; count < 20; count++) {
        await sender.send({ url, message, timeoutMs: 5_000, signal: never })
      }
      await sender.close()
      const connections = new Set(received.map(({ clientPort }) => clientPort)).size
      assert.ok(connections <= 2, `${connections} for ${received.length} requests`)
    }, ok))

  it('gives up without a result when it is told to', () =>
    withReceiver(
      async (receiver) => {
        const sender = createSender(openGuard)
        const stopping = new AbortController()
        const sending = sender.send({ url: receiver.url, message, timeoutMs: 5_000, signal: stopping.signal })
        await receiver.gets(1)
        stopping.abort(new Error('the service stops'))
        await assert.rejects(sending, /the service stops/)
        await sender.close()
      },
      () => undefined,
    ))
})
