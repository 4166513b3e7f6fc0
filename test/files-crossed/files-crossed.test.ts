import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { it } from 'node:test'
import { promisify } from 'node:util'
import { slow } from '../support/scope.ts'
import { scriptArguments } from '../support/script.ts'

const run = promisify(execFile)

/**
 * What somebody has to read who follows a request from beginning to end: 145 and 100, and two that a slow machine adds, where
 * something that runs by itself meets every repetition. Lower it when it has become less.
 */
const most = { post: 150, list: 102 }

it('a warm request crosses no more files than it has to', slow, async (test) => {
  const { stdout } = await run(process.execPath, scriptArguments(join(import.meta.dirname, 'measure.ts')), {
    // Coverage of the tests would count as well.
    env: { ...process.env, NODE_V8_COVERAGE: '' },
  })
  const crossed = JSON.parse(stdout) as Readonly<Record<keyof typeof most, readonly string[]>>
  for (const request of ['post', 'list'] as const) {
    const files = crossed[request]
    test.diagnostic(`${request}: ${files.length}`)
    assert.ok(files.length <= most[request], `${request} crosses ${files.length}:\n${files.join('\n')}`)
  }
})
