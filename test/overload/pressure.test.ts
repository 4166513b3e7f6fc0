import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Excess, pressureAfter } from '../../core-plugins/delivery/overload/pressure.ts'

const shared = (times: number): Excess => ({ shared: times, costly: 0 })

/** Where the pressure ends up. */
function settled(excess: Excess, from = 0): number {
  let pressure = from
  for (let i = 0; i < 100; i += 1) pressure = pressureAfter(pressure, excess, 1)
  return pressure
}

describe('the pressure', () => {
  it('stays away within the limits', () => {
    assert.equal(settled(shared(1)), 0)
  })

  it('refuses all without an account beyond them, however far', () => {
    assert.equal(settled(shared(1.1)), 2)
    assert.equal(settled(shared(1e6)), 2)
  })

  it('refuses only dear reads while only those wait', () => {
    assert.equal(settled({ shared: 0.5, costly: 100 }), 1)
  })

  it('rises the faster the more limits are exceeded, and never by a whole class at once', () => {
    const [mild, strong, absurd] = [1.5, 4, 1e6].map((times) =>
      pressureAfter(0, shared(times), 1),
    ) as number[]
    assert.ok(0 < Number(mild) && Number(mild) < Number(strong))
    assert.ok(Number(strong) < Number(absurd) && Number(absurd) < 1)
  })

  it('makes up for intervals in which nobody could look', () => {
    assert.equal(pressureAfter(0, shared(2), 3), 0.1 * 2 * 3)
    assert.equal(pressureAfter(0, shared(2), 1e6), pressureAfter(0, shared(2), 5))
  })

  it('falls step by step, to where it may still be', () => {
    assert.ok(pressureAfter(2, shared(0), 1) < 2)
    assert.ok(pressureAfter(2, shared(0), 1) > 1)
    assert.equal(settled(shared(0), 2), 0)
    assert.equal(settled({ shared: 0, costly: 2 }, 2), 1)
  })
})
