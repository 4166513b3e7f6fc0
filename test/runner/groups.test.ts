import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { slow } from '../support/scope.ts'
import { dealToGroups, writeGroup } from './groups.ts'

const files = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ source: `${index}.test.ts`, translation: `${index}.mjs` }))

describe('files dealt to processes', () => {
  it('are as many for each, and none is left out', () => {
    const groups = dealToGroups(files(511), 4)
    assert.equal(groups.length % 4, 0)
    assert.deepEqual(new Set(groups.map(({ length }) => length)), new Set([31, 32]))
    assert.equal(new Set(groups.flat()).size, 511)
  })

  it('are alone where there are few', () => {
    assert.deepEqual(
      dealToGroups(files(3), 4).map(({ length }) => length),
      [1, 1, 1],
    )
  })
})

describe('a process of tests', () => {
  it('runs the files that can be imported, and ends when a failed test has left something open', slow, () => {
    const folder = mkdtempSync(join(tmpdir(), 'groups-'))
    const written = (name: string, source: string) => {
      writeFileSync(join(folder, name), source)
      return { source: name, translation: join(folder, name) }
    }
    const files = [
      written('broken.mjs', 'throw new Error("no such book")'),
      written(
        'open.mjs',
        "import { it } from 'node:test'\nit('fails', () => { setInterval(() => {}, 1_000); throw new Error('late') })",
      ),
      written('passing.mjs', "import { it } from 'node:test'\nit('passes', () => {})"),
    ]
    const script = writeGroup(folder, 0, files, 100)
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const { stdout, stderr, status } = spawnSync(process.execPath, [script], { env, encoding: 'utf8' })
    rmSync(folder, { recursive: true })
    assert.equal(status, 1)
    assert.match(stderr, /Left open by tests: .*Timeout/)
    assert.match(stdout, /not ok 1 - broken\.mjs.*no such book.*not ok 2 - fails.*late.*ok 3 - passes/s)
  })
})
