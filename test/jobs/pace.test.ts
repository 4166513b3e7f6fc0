import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPace } from '../../core-plugins/background/jobs/jobs.ts'

const idle = { load: () => [] }

function keepBusy(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

describe('the pace of background work', () => {
  it('takes more items at once as long as they are quick, up to the most', async () => {
    const pace = createPace({ database: idle, most: 50 })
    const portions: number[] = []
    // A busy machine makes a portion slow now and then.
    while (portions.at(-1) !== 50 && portions.length < 1_000)
      portions.push(await pace.portion(async (items) => items))
    assert.equal(portions[0], 5)
    assert.equal(portions.at(-1), 50)
  })

  it('takes fewer while they keep the event loop', async () => {
    const pace = createPace({ database: idle, most: 100 })
    let items = 0
    for (let portions = 0; items < 50 && portions < 1_000; portions += 1)
      items = await pace.portion(async (count) => count)
    assert.ok(items >= 50)
    await pace.portion(async () => keepBusy(100))
    assert.equal(await pace.portion(async (count) => count), 10)
  })

  it('lets others go first: what came while a portion was done is done before the next one', async () => {
    const pace = createPace({ database: idle, most: 10 })
    const order: string[] = []
    await pace.portion(async () => {
      order.push('first')
      setImmediate(() => order.push('request'))
    })
    await pace.portion(async () => order.push('second'))
    assert.deepEqual(order, ['first', 'request', 'second'])
  })

  it('passes on what a portion answers, and what it fails with', async () => {
    const pace = createPace({ database: idle, most: 10 })
    assert.equal(await pace.portion(async () => 'answer'), 'answer')
    await assert.rejects(
      pace.portion(async () => {
        throw new Error('broken')
      }),
      /broken/,
    )
  })
})
