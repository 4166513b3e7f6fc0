import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { type FilterOperator, filterOperators } from '../../core-plugins/foundation/schemas/schemas.ts'

const root = join(import.meta.dirname, '../..')
const text = readFileSync(join(root, 'docs/field-types.md'), 'utf8')

const words: Readonly<Record<FilterOperator['argument'], string>> = {
  value: 'a value',
  values: 'several values',
  pair: 'two values, the lower one first',
  text: 'a text',
  flag: 'true or false',
  circle: 'latitude, longitude, metres',
  area: 'corners',
}

describe('docs/field-types.md', () => {
  it('shows every file of the example plugin that runs on the server as it is', () => {
    const shown = [...text.matchAll(/^```ts (\S+)\n(.*?)^```$/gms)].map(([, file = '', code]) => [file, code])
    const files = readdirSync(join(root, 'plugins/color'))
      .filter((name) => !name.startsWith('panel.'))
      .map((name) => `plugins/color/${name}`)
    assert.deepEqual(
      Object.fromEntries(shown),
      Object.fromEntries(files.map((file) => [file, readFileSync(join(root, file), 'utf8')])),
    )
  })

  it('lists all operators', () => {
    const rows = Object.entries(filterOperators).map(
      ([name, { question, argument }]) => `| \`${name}\` | ${question} | ${words[argument]} |`,
    )
    const listed = text.split('\n').filter((line) => line.startsWith('| `$'))
    assert.deepEqual(listed, rows)
  })
})
