import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createMailbox } from '../../kernel/index.ts'

describe('mailbox', () => {
  it('runs one task after the other, in the order in which they were sent', async () => {
    const mailbox = createMailbox()
    const steps: string[] = []
    const task = (name: string) => async () => {
      steps.push(`${name} begins`)
      await new Promise(setImmediate)
      steps.push(`${name} ends`)
      return name
    }
    const results = await Promise.all(['a', 'b', 'c'].map((name) => mailbox.run(task(name))))
    assert.deepEqual(results, ['a', 'b', 'c'])
    assert.deepEqual(steps, ['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
  })

  it('tells the sender of a failure and goes on', async () => {
    const mailbox = createMailbox()
    const failing = mailbox.run(() => {
      throw new Error('broken')
    })
    const next = mailbox.run(() => 'next')
    await assert.rejects(failing, /broken/)
    assert.equal(await next, 'next')
  })

  it('is idle when everything sent so far has ended', async () => {
    const mailbox = createMailbox()
    let isDone = false
    void mailbox.run(async () => {
      await new Promise(setImmediate)
      isDone = true
    })
    await mailbox.idle()
    assert.equal(isDone, true)
  })
})
