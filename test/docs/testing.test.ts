import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import * as kit from 'mortise/testing'
import { moduleProject } from '../support/plugin-file.ts'
import { createProject } from '../support/project.ts'
import { slow } from '../support/scope.ts'

const root = join(import.meta.dirname, '../..')
const text = readFileSync(join(root, 'docs/testing.md'), 'utf8')

/** Code by the file that its fence names. */
const shown = Object.fromEntries(
  [...text.matchAll(/^```ts (\S+)\n(.*?)^```$/gms)].map(([, file = '', code = '']) => [file, code]),
)

describe('docs/testing.md', () => {
  it('shows a plugin and a test that passes', slow, async (test) => {
    assert.deepEqual(Object.keys(shown), ['plugins/greeter/plugin.ts', 'test/greeter.test.ts'])
    const project = await createProject({ files: { ...moduleProject, ...shown } })
    test.after(() => project.remove())
    const args = ['--import', import.meta.resolve('tsx'), '--test', 'test/greeter.test.ts']
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      cwd: project.workingDirectory,
      env: { PATH: process.env.PATH },
    })
    assert.match(stdout, /pass 2\b/)
  })

  it('names what `mortise/testing` exports', () => {
    const functions = Object.entries(kit).filter(([, value]) => typeof value === 'function')
    assert.deepEqual(
      functions.map(([name]) => name).filter((name) => !text.includes(name)),
      [],
    )
  })
})
