import { type DialectName, dialectNames } from '../../core-plugins/foundation/database/dialect-name.ts'
import type { Random } from './random.ts'

/** One death of a process under load. */
export interface Kill {
  /** How many processes run; one of them dies. */
  readonly processes: 1 | 2
  /** After the first request of the load that was acknowledged. */
  readonly afterMs: number
  /** Whether everything is looked through afterwards, or the next load begins at once, in the midst of the recovery. */
  readonly isChecked: boolean
}

export const seed = process.env.CRASH_SEED || String(Math.floor(Math.random() * 1e9))
const wantedKills = process.env.CRASH_KILLS
const killsUnlessTold = 20
const longestMs = 500
/** Of the kills of one database: the others have a second process beside the one that dies. */
const partAlone = 0.6

/** The kills of a scenario are spread over the databases. */
export function planKills(database: DialectName, random: Random, kills = killsUnlessTold): Kill[] {
  const place = dialectNames.indexOf(database)
  const count = Math.ceil((Number(wantedKills || kills) - place) / dialectNames.length)
  const alone = Math.ceil(count * partAlone)
  return Array.from({ length: count }, (_, index) => ({
    processes: index < alone ? 1 : 2,
    afterMs: random.below(longestMs),
    isChecked: index % 3 !== 1 || index === count - 1,
  }))
}
