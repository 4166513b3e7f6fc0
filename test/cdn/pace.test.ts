import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Pace } from '../../core-plugins/delivery/cdn/pace.ts'
import { retryAfterMs } from '../../core-plugins/delivery/cdn/send-purges.ts'

it('a CDN that says when to come back is left alone until then', () => {
  const pace = new Pace(() => 600)
  assert.equal(pace.waitMs, 0)
  pace.rest(60_000)
  pace.rest(1_000)
  assert.ok(pace.waitMs > 30_000)
})

it('Retry-After is seconds or a date, and is not believed beyond ten minutes', () => {
  assert.equal(retryAfterMs('30'), 30_000)
  assert.equal(retryAfterMs('86400'), 600_000)
  assert.equal(retryAfterMs(new Date(Date.now() - 5_000).toUTCString()), 0)
  assert.ok(retryAfterMs(new Date(Date.now() + 120_000).toUTCString()) > 60_000)
  for (const told of [undefined, '', 'soon', '-1']) assert.equal(retryAfterMs(told), 0, told)
})
