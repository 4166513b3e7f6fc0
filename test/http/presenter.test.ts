import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Type } from 'typebox'
import { orNull, presenterOf, timestampSchema } from '../../core-plugins/foundation/http/http.ts'

const at = '2026-01-31T08:00:00.000Z'

describe('a presenter', () => {
  it('gives the fields of a schema their names, and leaves out all others', () => {
    const present = presenterOf(
      Type.Object({
        id: Type.Integer(),
        maxAttempts: Type.Integer(),
        first_seen_at: orNull(timestampSchema),
      }),
    )
    const row = { firstSeenAt: null, secret: 'x', maxAttempts: 5, id: 1 }
    assert.equal(JSON.stringify(present(row)), '{"id":1,"maxAttempts":5,"first_seen_at":null}')
  })

  it('renames in objects and lists that have such names, and keeps the others as they are', () => {
    const value = Type.Object({ valid_until: timestampSchema })
    const present = presenterOf(
      Type.Object({
        values: Type.Array(value),
        last: orNull(value),
        none: orNull(value),
        plain: Type.Unknown(),
      }),
    )
    const plain = { validUntil: at }
    const answer = present({ values: [{ validUntil: at }], last: { validUntil: at }, none: null, plain })
    assert.deepEqual(answer, { values: [{ valid_until: at }], last: { valid_until: at }, none: null, plain })
    assert.equal(answer.plain, plain)
  })

  it('leaves out what a record does not have', () => {
    const present = presenterOf(Type.Object({ id: Type.Integer(), made_by: Type.Optional(Type.String()) }))
    assert.deepEqual(present({ id: 1 }), { id: 1 })
  })
})
