import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { requestStages } from '../../core-plugins/foundation/http/http.ts'

const guide = readFileSync(join(import.meta.dirname, '../../docs/http.md'), 'utf8')

/** The rows of the first table below a heading, without its head. */
function tableBelow(heading: string): string[][] {
  const [, section = ''] = guide.split(`\n${heading}\n`)
  const [, , ...rows] =
    section
      .split('\n\n')
      .find((part) => part.startsWith('|'))
      ?.split('\n') ?? []
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

describe('docs/http.md', () => {
  it('lists the stages of a request in their order', () => {
    assert.deepEqual(
      tableBelow('## The order of a request'),
      requestStages.map(({ name, summary }) => [name, summary]),
    )
  })
})
