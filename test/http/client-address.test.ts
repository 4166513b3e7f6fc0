import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  clientAddress,
  compactAddress,
  compileProxyTrust,
} from '../../core-plugins/foundation/http/requests/client-address.ts'
import { StartupError } from '../../kernel/index.ts'
import { startService } from './service.ts'

describe('the address of a client', () => {
  it('has one spelling', () => {
    assert.equal(compactAddress('127.0.0.1'), '127.0.0.1')
    assert.equal(compactAddress('0000:0000:0000:0000:0000:0000:0000:0001'), '::1')
    assert.equal(compactAddress('0000:0000:0000:0000:0000:ffff:7f00:0001'), '127.0.0.1')
    assert.equal(compactAddress('2001:0db8:0000:0000:0000:0000:0000:0001'), '2001:db8::1')
    assert.equal(compactAddress(''), '')
  })

  const trusted = compileProxyTrust(['loopback', '10.0.0.0/8', '2001:db8::/32', '192.0.2.1'])
  const cases = [
    ['203.0.113.1', '198.51.100.1', '203.0.113.1', 'a stranger is believed nothing'],
    ['127.0.0.1', undefined, '127.0.0.1', 'no header'],
    ['127.0.0.1', '198.51.100.1', '198.51.100.1', 'one proxy'],
    ['127.0.0.1', '1.1.1.1, 198.51.100.1', '198.51.100.1', 'what the client itself wrote'],
    ['127.0.0.1', '198.51.100.1, 10.1.2.3', '198.51.100.1', 'two proxies'],
    ['::1', '198.51.100.1,2001:db8::5 , 192.0.2.1', '198.51.100.1', 'three proxies of both families'],
    ['127.0.0.1', '10.0.0.1, 10.0.0.2', '10.0.0.1', 'proxies only'],
    ['127.0.0.1', 'unknown', '0.0.0.0', 'no address'],
    ['127.0.0.1', '198.51.100.1, <script>', '0.0.0.0', 'rubbish at the end'],
    ['10.0.0.1', '198.51.100.1, _hidden', '10.0.0.1', 'an obfuscated identifier'],
    ['127.0.0.1', '198.51.100.1, unix:, 10.1.2.3', '10.1.2.3', 'a hop without address before a proxy'],
    ['127.0.0.1', '203.0.113.9:4711', '203.0.113.9', 'a port'],
    ['127.0.0.1', '203.0.113.9:4711, 10.1.2.3:80', '203.0.113.9', 'ports of all hops'],
    ['127.0.0.1', '[2001:db9::7]:4711', '2001:db9::7', 'IPv6 and a port'],
    ['127.0.0.1', '[2001:DB9::7]', '2001:db9::7', 'IPv6 in brackets'],
    ['127.0.0.1', '[::ffff:198.51.100.1]:443', '198.51.100.1', 'IPv4 in IPv6 and a port'],
    ['127.0.0.1', '198.51.100.1, 203.0.113.9:', '0.0.0.0', 'an empty port'],
    ['127.0.0.1', '198.51.100.1, [203.0.113.9', '0.0.0.0', 'half a bracket'],
    ['127.0.0.1', '198.51.100.1, fe80::1%eth0', '0.0.0.0', 'an address with a zone'],
    ['127.0.0.1', '198.51.100.1, 999.1.1.1:80', '0.0.0.0', 'no address but a port'],
    ['127.0.0.1', '198.51.100.1, , ', '198.51.100.1', 'empty hops'],
    ['127.0.0.1', '', '127.0.0.1', 'an empty header'],
    ['127.0.0.1', '::ffff:198.51.100.1', '198.51.100.1', 'IPv4 in IPv6'],
  ] as const
  for (const [peer, header, expected, what] of cases) {
    it(`is found with ${what}`, () => assert.equal(clientAddress(peer, header, trusted), expected))
  }

  it('needs proxies that are addresses or networks', async () => {
    for (const entry of ['proxy.example', '10.0.0.0/99', '10.0.0.0/', '']) {
      const start = startService({
        adapter: 'node-http',
        env: { SVC_SERVER_TRUST_PROXY: JSON.stringify(['loopback', entry]) },
      })
      await assert.rejects(start, (error) => {
        assert.ok(error instanceof StartupError, String(error))
        assert.match(error.message, /SVC_SERVER_TRUST_PROXY/)
        return true
      })
    }
  })
})
