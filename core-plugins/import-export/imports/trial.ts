import type { SavedEntry } from '../../content/content.ts'
import type { ErrorDetail } from '../../http/http.ts'
import type { ImportReport } from '../import-export.ts'
import { reportAfter } from './import-report.ts'
import { KeySet } from './key-set.ts'
import { type MissingKey, type Row, withoutFields } from './prepare-rows.ts'
import { isReady, problemOf } from './rows.ts'

interface Doubt {
  readonly line: number
  readonly type: string
  readonly missing: readonly MissingKey[]
  /** As what the report has counted it; undefined if it has not. */
  counted?: SavedEntry['outcome'] | 'refused'
}

const placeOf = ({ line, type }: Pick<Row, 'line' | 'type'>) => `${line} ${type}`

/** As many records as may wait in an import. */
const maxDoubts = 200_000

/**
 * What a trial remembers of records. Nothing of it is stored, so a record cannot be found by later ones: whether those
 * that refer to others are right is settled at the end, by the keys of all.
 */
export class Trial {
  readonly #keys = new KeySet()
  readonly #doubts = new Map<string, Doubt>()

  /** Takes out what is settled at the end. */
  take(rows: readonly Row[]): readonly Row[] {
    return rows.map((row) => {
      for (const key of row.keys) this.#keys.add(key)
      const waived = [...row.promised, ...row.missing.map(({ field }) => field)]
      if (row.details.length > 0 || waived.length === 0) return row
      if (row.missing.length > 0 && this.#doubts.size < maxDoubts) {
        this.#doubts.set(placeOf(row), { line: row.line, type: row.type, missing: row.missing })
      }
      return { ...withoutFields(row, waived), missing: [], waived }
    })
  }

  /** Notes as what rows were counted without what is settled at the end. */
  note(rows: readonly Row[], saved: readonly SavedEntry[]): void {
    if (this.#doubts.size === 0) return
    const outcomes = new Map(rows.filter(isReady).map((row, index) => [row, saved[index]?.outcome]))
    for (const row of rows) {
      const doubt = this.#doubts.get(placeOf(row))
      const counted = row.details.length > 0 ? 'refused' : outcomes.get(row)
      if (doubt !== undefined && counted !== undefined) doubt.counted = counted
    }
  }

  /** The report with each record that is refused at the end counted as that, and as nothing else. */
  settled(report: ImportReport): ImportReport {
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
}
