import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { translatedFile } from '../../core-plugins/foundation/config/config.ts'
import { slow } from '../support/scope.ts'
import { type Digest, digestText } from './digest.ts'

const someTests = `
import { before, describe, it } from 'node:test'

describe('sqlite', () => {
  describe('a list', () => {
    it('is long', () => {})
    it('is short', () => { throw new Error('it is long') })
    it('takes its time', () => new Promise((resolve) => setTimeout(resolve, 2_000)))
  })
})
it('needs nothing', () => {})
it('is left out', { skip: 'slow' }, () => {})
describe('on a server', { skip: 'needs nginx' }, () => it('is unknown', () => {}))
describe('that cannot begin', () => {
  before(() => { throw new Error('nothing is there') })
  it('is cancelled', () => {})
})
`

const dyingProcess = `
import { it } from 'node:test'

it('passes', () => {})
process.on('exit', () => process.exit(7))
`

it(
  'a run is summed up: what is slow, was left out or failed, and how many tests ran on which database',
  slow,
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'digest-'))
    writeFileSync(join(folder, 'some.test.mjs'), someTests)
    writeFileSync(join(folder, 'that-dies.mjs'), dyingProcess)
    const reporter = translatedFile(join(import.meta.dirname, 'digest.ts'))
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const { stdout } = spawnSync(
      process.execPath,
      [
        ...['--test', `--test-reporter=${reporter}`, '--test-reporter-destination=stdout'],
        ...['some.test.mjs', 'that-dies.mjs'],
      ],
      { cwd: folder, env, encoding: 'utf8' },
    )
    rmSync(folder, { recursive: true })
    const lines = digestText(JSON.parse(stdout) as Digest).split('\n')
    assert.match(lines[1] ?? '', /^ {2}2\.\d s {2}some\.test\.mjs: sqlite › a list › takes its time$/)
    assert.deepEqual(lines.slice(2), [
      '',
      'Left out (tests, or whole blocks of them):',
      '  1 slow',
      '  1 needs nginx',
      '',
      'Failed:',
      '  some.test.mjs: sqlite › a list › is short',
      '  some.test.mjs: that cannot begin › is cancelled',
      '  some.test.mjs: that cannot begin',
      `  that-dies.mjs: ${join(folder, 'that-dies.mjs')} (exit code 7)`,
      '',
      '7 tests ran (3 on sqlite, 4 without a database of their own), 4 failed',
    ])
  },
)
