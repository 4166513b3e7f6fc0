import fc from 'fast-check'
import { type Act, anyAct } from './act.ts'
import { anyChange, type Change } from './changes.ts'
import { History } from './history.ts'

/** What happens between two starts, and how the schema changes then. */
export interface Round {
  readonly acts: readonly Act[]
  readonly changes: readonly Change[]
  /** Whether the next process starts while the one before still runs. */
  readonly isBeside: boolean
}

export const anySequence: fc.Arbitrary<readonly Round[]> = fc.array(
  fc.record({
    acts: fc.array(anyAct, { maxLength: 5, size: 'max' }),
    changes: fc.array(anyChange, { minLength: 1, maxLength: 3, size: 'max' }),
    isBeside: fc.boolean(),
  }),
  { minLength: 2, maxLength: 5, size: 'max' },
)

/** @throws Error with the steps that led to what is wrong */
export async function carryOut(rounds: readonly Round[], url: string, mayRunBeside: boolean): Promise<void> {
  const history = new History(url)
  try {
    await history.start([], false)
    for (const entry of [0, 1]) await history.act({ act: 'create', entry, field: 0, byEarlier: false })
    for (const { acts, changes, isBeside } of rounds) {
      for (const act of acts) await history.act(act)
      await history.sendBack()
      await history.start(changes, isBeside && mayRunBeside)
    }
    await history.sendBack()
  } finally {
    await history.stop()
  }
}
