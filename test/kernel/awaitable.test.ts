import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { andThen, isPromise, orElse } from '../../kernel/index.ts'

const double = (value: number) => value * 2
const messageOf = (error: unknown) => (error as Error).message
class Thenable {
  // biome-ignore lint/suspicious/noThenProperty: it is what the test is about
  then(use: (value: number) => unknown) {
    return use(21)
  }
}

describe('a value that is there or comes later', () => {
  it('is gone on with in the same stack where it is there', () => {
    assert.equal(andThen(21, double), 42)
    assert.equal(
      orElse(() => 42, messageOf),
      42,
    )
    assert.equal(
      orElse(() => {
        throw new Error('at once')
      }, messageOf),
      'at once',
    )
  })

  it('is waited for where it comes later', async () => {
    assert.equal(await andThen(Promise.resolve(21), double), 42)
    assert.equal(await orElse(() => Promise.resolve(42), messageOf), 42)
    assert.equal(await orElse(() => Promise.reject(new Error('later')), messageOf), 'later')
  })

  it('comes later where it has a method then, as with await', () => {
    const thenable = new Thenable() as unknown as Promise<number>
    assert.equal(isPromise(thenable), true)
    assert.equal(andThen(thenable, double), 42)
    for (const value of [null, undefined, 1, 'then', {}, []]) assert.equal(isPromise(value), false)
  })
})
