import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { shownFiles } from './shown-files.ts'

const root = join(import.meta.dirname, '../..')
const text = readFileSync(join(root, 'docs/panel-plugins.md'), 'utf8')

describe('docs/panel-plugins.md', () => {
  // Its plugin `desk` is run by test/admin-panel/plugin-modules.test.ts.
  it('shows a file of an example as it is', () => {
    const file = 'plugins/reading-time/panel.tsx'
    assert.equal(shownFiles('panel-plugins.md')[file], readFileSync(join(root, file), 'utf8'))
  })

  it('names all that mortise/panel has', () => {
    const report = readFileSync(join(root, 'entry-points/reports/panel.api.md'), 'utf8')
    const [exported = ''] = report.split('# Used by these, but not exported')
    const values = [...exported.matchAll(/^(?:export )?declare (?:const|function) (\w+)/gm)].map(
      ([, name]) => name,
    )
    assert.ok(values.length > 20)
    assert.deepEqual(
      values.filter((name) => !text.includes(`\`${name}\``) && !text.includes(`${name} } from`)),
      [],
    )
  })
})
