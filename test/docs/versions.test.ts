import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'

const root = join(import.meta.dirname, '../..')

function checkVersions(...args: string[]) {
  const { status, stderr } = spawnSync(process.execPath, [join(root, '.ci/check-versions.mjs'), ...args], {
    encoding: 'utf8',
  })
  return { status, stderr }
}

it('all packages have one version, which the changelog describes', () => {
  assert.deepEqual(checkVersions(), { status: 0, stderr: '' })
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  assert.deepEqual(checkVersions(`v${version}`), { status: 0, stderr: '' })
})

it('a tag of another version is refused with all that differs', () => {
  const { status, stderr } = checkVersions('v99.0.0-rc.1')
  assert.equal(status, 1)
  for (const problem of [
    './package.json: mortise is',
    'client/package.json: mortise-client is',
    'CHANGELOG.md',
  ])
    assert.ok(stderr.includes(problem), stderr)
})
