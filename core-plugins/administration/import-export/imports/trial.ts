import type { SavedEntry } from '../../../entries/content/content.ts'
import type { ErrorDetail } from '../../../foundation/http/http.ts'
import type { ImportReport } from '../import-export.ts'
import { Circles } from './circles.ts'
import { reportAfter } from './import-report.ts'
import { KeySet } from './key-set.ts'
import { type MissingKey, type Row, withoutFields } from './prepare-rows.ts'
import { isReady, problemOf } from './rows.ts'

interface Doubt {
  readonly line: number
  readonly type: string
  readonly keys: readonly string[]
  readonly missing: readonly MissingKey[]
  /** How the report has counted it; undefined if it has not. */
  counted?: SavedEntry['outcome'] | 'refused'
}

const placeOf = ({ line, type }: Pick<Row, 'line' | 'type'>) => `${line} ${type}`

/** As many records as may wait in an import. */
const maxDoubts = 200_000

/**
 * The records of a trial that refer to others. Since a trial stores nothing, later records cannot find earlier ones, so these
 * references are checked at the end, by the keys of all records.
 */
export class Trial {
  /** The keys of records that would certainly be stored. */
  readonly #keys = new KeySet()
  readonly #doubts = new Map<string, Doubt>()

  /** Removes the rows that are checked at the end. */
  take(rows: readonly Row[]): readonly Row[] {
    return rows.map((row) => {
      const waived = [...row.promised, ...row.missing.map(({ field }) => field)]
      if (row.details.length > 0 || waived.length === 0) return row
      if (row.missing.length > 0 && this.#doubts.size < maxDoubts) {
        const { line, type, keys, missing } = row
        this.#doubts.set(placeOf(row), { line, type, keys, missing })
      }
      return { ...withoutFields(row, waived), missing: [], waived }
    })
  }

  /** Records how rows were counted before the check at the end. */
  note(rows: readonly Row[], saved: readonly SavedEntry[]): void {
    const outcomes = new Map(rows.filter(isReady).map((row, index) => [row, saved[index]?.outcome]))
    for (const row of rows) {
      const doubt = this.#doubts.get(placeOf(row))
      const isRefused = row.details.length > 0
      const counted = isRefused ? 'refused' : outcomes.get(row)
      if (doubt === undefined) {
        if (!isRefused) this.#add(row.keys)
      } else if (counted !== undefined) doubt.counted = counted
    }
  }

  /**
   * Corrects the report: records whose keys name no record, or only refused ones, are counted as refused and no
   * longer as stored.
   */
  settled(report: ImportReport): ImportReport {
    const standing = this.#withoutLost(
      [...this.#doubts.values()].filter(({ counted }) => counted !== 'refused'),
    )
    for (const { keys } of standing) this.#add(keys)
    const recounted = { created: 0, updated: 0, unchanged: 0, refused: 0 }
    const refusals = [...this.#doubts.values()].flatMap(({ line, type, missing, counted }) => {
      const details: ErrorDetail[] = missing.filter(({ text }) => !this.#keys.mayHave(text)).map(problemOf)
      if (details.length === 0) return []
      if (counted !== undefined) recounted[counted] += 1
      return [{ line, type, details }]
    })
    const after = reportAfter(report, { records: 0, saved: [], refusals })
    return {
      ...after,
      created: after.created - recounted.created,
      updated: after.updated - recounted.updated,
      unchanged: after.unchanged - recounted.unchanged,
      refused: after.refused - recounted.refused,
    }
  }

  #withoutLost(doubts: readonly Doubt[]): readonly Doubt[] {
    const circles = new Circles()
    for (const [id, { keys, missing }] of doubts.entries()) {
      const needs = missing.map(({ text }) => text).filter((text) => !this.#keys.mayHave(text))
      circles.add({ id, keys, needs })
    }
    const lost = circles.lost()
    return doubts.filter((_, id) => !lost.has(id))
  }

  #add(keys: readonly string[]): void {
    for (const key of keys) this.#keys.add(key)
  }
}
