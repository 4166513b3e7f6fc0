import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import * as exported from '../../entry-points/plugin.ts'
import type { Token } from '../../kernel/index.ts'

const docs = join(import.meta.dirname, '../../docs')
const read = (page: string) => readFileSync(join(docs, page), 'utf8')

const tokens = Object.entries(exported).filter(
  (entry): entry is [string, Token & (typeof entry)[1]] =>
    typeof entry[1] === 'object' && 'kind' in entry[1] && 'id' in entry[1],
)
const namesOf = (kind: Token['kind']) =>
  tokens.filter(([, token]) => token.kind === kind).map(([name]) => name)

describe('the documentation of plugins', () => {
  for (const kind of ['extension point', 'hook'] as const) {
    it(`lists each ${kind} that plugins can import`, () => {
      const listed = read('plugins.md')
      const missing = namesOf(kind).filter((name) => !listed.includes(`\`${name}\``))
      assert.deepEqual(missing, [])
    })
  }
})
