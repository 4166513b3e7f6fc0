import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { Type } from 'typebox'
import { printAnswers } from '../../build/client-answers/print-answers.ts'
import { slow } from '../support/scope.ts'
import { buildScript } from './build-script.ts'

describe('types of the client', () => {
  it('say what the routes answer; `npm run client-types` renews them', slow, async () => {
    const check = promisify(execFile)(process.execPath, buildScript('client-answers.ts', '--check'))
    await check.catch(({ stderr }: { stderr: string }) => assert.fail(stderr))
  })

  it('follow from schemas, and name those that are parts of others', () => {
    const owner = Type.Object({ id: Type.Integer(), role: Type.Optional(Type.Enum(['editor', 'author'])) })
    const page = Type.Object({
      size: Type.Union([Type.Integer({ description: 'Bytes' }), Type.Null()]),
      owners: Type.Array(owner),
      labels: Type.Record(Type.String(), Type.String()),
      state: Type.String(),
    })
    const printed = printAnswers([
      { name: 'Owner', schema: owner, about: 'Who has it.' },
      { name: 'Page', schema: page, about: 'A page.', narrowed: { state: Type.Literal('open') } },
    ])
    assert.equal(printed.slice(printed.indexOf('\n\n') + 2), expected)
  })
})

const expected = `/** Who has it. */
export interface Owner {
  readonly id: number
  readonly role?: 'editor' | 'author'
}

/** A page. */
export interface Page {
  /** Bytes. */
  readonly size: number | null
  readonly owners: readonly Owner[]
  readonly labels: Readonly<Record<string, string>>
  readonly state: 'open'
}
`
