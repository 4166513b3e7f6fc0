import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Doorkeeper } from '../../core-plugins/delivery/cache/doorkeeper.ts'

describe('which answers were asked for before', () => {
  it('a key is known from the second time on', () => {
    const doorkeeper = new Doorkeeper()
    assert.equal(doorkeeper.hasSeen('/api/content/article?limit=1'), false)
    assert.equal(doorkeeper.hasSeen('/api/content/article?limit=1'), true)
  })

  it('a flood of other keys makes new ones known no more than now and then', () => {
    const doorkeeper = new Doorkeeper()
    let taken = 0
    for (let index = 0; index < 500_000; index++) if (doorkeeper.hasSeen(`/flood?${index}`)) taken += 1
    assert.ok(taken < 50_000, `${taken} of 500,000 were taken for old ones`)
  })

  it('a key is still known after many others', () => {
    const doorkeeper = new Doorkeeper()
    doorkeeper.hasSeen('/api/content/article')
    for (let index = 0; index < 60_000; index++) doorkeeper.hasSeen(`/flood?${index}`)
    assert.equal(doorkeeper.hasSeen('/api/content/article'), true)
  })
})
