import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createKeyedMailbox, createMailbox } from '../../kernel/index.ts'

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

describe('keyed mailbox', () => {
  it('runs the tasks of one key one after the other, and those of others beside them', async () => {
    const mailbox = createKeyedMailbox()
    const steps: string[] = []
    const task = (name: string) => async () => {
      steps.push(`${name} begins`)
      await new Promise(setImmediate)
      steps.push(`${name} ends`)
    }
    await Promise.all([
      mailbox.run('a', task('a1')),
      mailbox.run('a', task('a2')),
      mailbox.run('b', task('b1')),
    ])
    const ofA = steps.filter((step) => step.startsWith('a'))
    assert.deepEqual(ofA, ['a1 begins', 'a1 ends', 'a2 begins', 'a2 ends'])
    assert.deepEqual(steps.slice(0, 2), ['a1 begins', 'b1 begins'])
  })

  it('tells the sender of a failure and goes on with the key', async () => {
    const mailbox = createKeyedMailbox()
    const failing = mailbox.run('a', () => {
      throw new Error('broken')
    })
    const next = mailbox.run('a', () => 'next')
    await assert.rejects(failing, /broken/)
    assert.equal(await next, 'next')
  })
})
