import assert from 'node:assert/strict'
import { after, before, describe, it, mock } from 'node:test'
import {
  type Answer,
  followPage,
} from '../../core-plugins/panel/admin-panel/app/parts/preview/followed-page.ts'

const longerThanItWaitsMs = 3_001

/** A page in a frame that does what a test has it do; `done` is what the panel did. */
function startFollowing(needsToken: boolean) {
  const done: string[] = []
  const page = followPage({
    needsToken,
    load: () => void done.push('load'),
    sendToken: () => void done.push('token'),
    renewIfDue: () => {},
    onAnswer: () => {},
  })
  return { page, done, is: (answer: Answer) => assert.equal(page.answer, answer) }
}

describe('a page that the panel follows', () => {
  before(() => mock.timers.enable({ apis: ['setTimeout'] }))
  after(() => mock.timers.reset())
  const wait = () => mock.timers.tick(longerThanItWaitsMs)

  it('that has an earlier client is loaded for another token, once it has not said that it has it', () => {
    const { page, done, is } = startFollowing(true)
    page.hello()
    page.loaded()
    wait()
    is('given')
    page.renewed()
    assert.deepEqual(done, ['token'])
    wait()
    assert.deepEqual(done, ['token', 'load'])
  })

  it('that has moved the token out of its address is loaded as well', () => {
    const { page, done } = startFollowing(true)
    page.hello()
    page.token(false)
    page.loaded()
    page.token(false)
    page.renewed()
    page.token(false)
    assert.deepEqual(done, ['token', 'token', 'load'])
  })

  it('that has no token in its address is never loaded for one, unless it could not show the draft', () => {
    const { page, done, is } = startFollowing(false)
    page.hello()
    page.renewed()
    wait()
    assert.deepEqual(done, ['token'])
    is('given')
    page.failed()
    is('refused')
    page.renewed()
    assert.deepEqual(done, ['token', 'load'])
  })

  it('is not said to follow when it has said hello late, and something else was loaded since', () => {
    const { page, is } = startFollowing(false)
    page.loaded()
    is('awaited')
    page.hello()
    page.token(false)
    is('given')
    page.loaded()
    wait()
    is('missing')
    page.hello()
    is('given')
    page.close()
  })
})
