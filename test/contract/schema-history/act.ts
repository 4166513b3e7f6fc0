import fc from 'fast-check'

/** What happens to an entry between two starts; numbers choose among what there is. */
export interface Act {
  readonly act: (typeof acts)[number]
  readonly entry: number
  readonly field: number
  /** By the process of the earlier version, where it still runs. */
  readonly byEarlier: boolean
}

const acts = [
  'create',
  'write',
  'empty',
  'publish',
  'unpublish',
  'delete',
  'restore',
  'revert',
  'decide',
  'author',
] as const

export const anyAct: fc.Arbitrary<Act> = fc.record({
  act: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('create' as const) },
    { weight: 5, arbitrary: fc.constantFrom('write' as const) },
    { weight: 8, arbitrary: fc.constantFrom(...acts.slice(2)) },
  ),
  entry: fc.nat(9),
  field: fc.nat(9),
  byEarlier: fc.boolean(),
})
