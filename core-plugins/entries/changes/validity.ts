import { affects } from './affects.ts'
import type { AnswerValidity, Change, ChangeTail, DatedReads } from './changes.ts'
import type { PublicationClock } from './publication-clock.ts'
import type { ReadRecord } from './read-record.ts'

/** The maximum number of changes that an answer is tested against; beyond it, making the answer again is cheaper. */
const maxTests = 512

/** See `AnswerValidity`. */
export function createValidity(tail: ChangeTail, clock: PublicationClock): AnswerValidity {
  let culprit: Change | undefined

  /** Whether no change since a generation affects what was read. */
  function isUnaffected(reads: ReadRecord, since: number): boolean {
    const { generation } = tail
    if (since === generation || [...reads.types.keys()].every((type) => tail.generationOf(type) <= since))
      return true
    const now = new Date().toISOString()
    let tests = 0
    for (let index = since + 1; index <= generation; index++) {
      const change = tail.at(index)
      if (change === undefined) return false
      if (change.type === undefined) return false
      const dependence = reads.types.get(change.type)
      if (dependence === undefined) continue
      tests += 1
      if (tests > maxTests || affects(change, dependence, now)) {
        culprit = change
        return false
      }
    }
    return true
  }

  function isUnchanged(kept: DatedReads): boolean {
    culprit = undefined
    const { generation } = tail
    if (!isUnaffected(kept.reads, kept.checkedAt)) return false
    kept.checkedAt = generation
    return true
  }

  return {
    get culprit() {
      return culprit
    },
    isRight(kept) {
      const { reads, readAtMs } = kept
      culprit = undefined
      if (reads.timed.length > 0 && !clock.isQuiet(reads.timed, readAtMs)) return false
      return isUnchanged(kept)
    },
    isUnchanged,
    refusal(reads, begun, readAtMs) {
      if (reads.opaque !== undefined) return 'opaque'
      // The answer may or may not contain changes that this process has learned of since.
      if (!isUnaffected(reads, begun)) return 'overtaken'
      return clock.isQuiet(reads.timed, readAtMs) ? undefined : 'untimed'
    },
    nextPublication: (types) => clock.nextOf(types),
  }
}
