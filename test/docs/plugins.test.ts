import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'

const root = join(import.meta.dirname, '../..')
const text = readFileSync(join(root, 'docs/plugins.md'), 'utf8')

/** Code by the file that its fence names. */
const shown = new Map(
  [...text.matchAll(/^```ts (\S+)\n(.*?)^```$/gms)].map(([, file = '', code = '']) => [file, code]),
)

describe('docs/plugins.md', () => {
  it('shows every file of the example plugin', () => {
    const files = readdirSync(join(root, 'plugins/reading-time')).map(
      (name) => `plugins/reading-time/${name}`,
    )
    assert.deepEqual([...shown.keys()].sort(), files.sort())
  })

  for (const [file, code] of shown) {
    it(`shows ${file} as it is`, () => assert.equal(code, readFileSync(join(root, file), 'utf8')))
  }

  it('names what the public faces export', () => {
    const tables = text.slice(text.indexOf('### What it can add to'), text.indexOf('### On, off'))
    const rows = [...tables.matchAll(/^\| (`.+?`) \| `(\S+)` \|/gm)]
    assert.ok(rows.length >= 10)
    for (const [, names = '', face = ''] of rows) {
      const path = face.startsWith('kernel/') ? face : `core-plugins/${face}`
      const source = readFileSync(join(root, path), 'utf8')
      for (const [, name = ''] of names.matchAll(/`(\w+)`/g)) {
        assert.match(source, new RegExp(`\\b${name}\\b`), `${path} exports ${name}`)
      }
    }
  })
})
