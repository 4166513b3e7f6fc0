import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createSharedSelections } from '../../core-plugins/delivery/graphql/plan/shared-selections.ts'

it('selections that are alike are one object, so that the statement of each is compiled once', () => {
  const shared = createSharedSelections()
  const asked = (limit: number) => ({
    fields: ['id', 'title'],
    populate: [{ field: 'tags', as: 'tags@0', fields: ['id'], limit }],
    showsIds: false,
  })
  const first = shared(asked(1))
  assert.equal(shared(asked(1)), first)
  assert.deepEqual(first, asked(1))
  assert.notEqual(shared(asked(2)), first)
  assert.deepEqual(shared(asked(2)), asked(2))
})
