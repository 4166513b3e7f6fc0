import type { ErrorDetail } from '../../http/http.ts'
import type { ImportReport } from '../import-export.ts'
import { reportAfter } from './import-report.ts'
import { KeySet } from './key-set.ts'
import { type MissingKey, type Row, withoutFields } from './prepare-rows.ts'
import { problemOf } from './rows.ts'

interface Doubt {
  readonly line: number
  readonly type: string
  readonly missing: readonly MissingKey[]
}

/** As many records as may wait in an import. */
const maxDoubts = 200_000

/**
 * What a trial remembers of records. Nothing of it is stored, so a record cannot be found by later ones: whether those
 * that refer to others are right is settled at the end, by the keys of all.
 */
export class Trial {
  readonly #keys = new KeySet()
  readonly #doubts: Doubt[] = []

  /** Takes out what is settled at the end. */
  take(rows: readonly Row[]): readonly Row[] {
    return rows.map((row) => {
      for (const key of row.keys) this.#keys.add(key)
      const waived = [...row.promised, ...row.missing.map(({ field }) => field)]
      if (row.details.length > 0 || waived.length === 0) return row
      if (row.missing.length > 0 && this.#doubts.length < maxDoubts) {
        this.#doubts.push({ line: row.line, type: row.type, missing: row.missing })
      }
      return { ...withoutFields(row, waived), missing: [], waived }
    })
  }

  settled(report: ImportReport): ImportReport {
    const refusals = this.#doubts.flatMap(({ line, type, missing }) => {
      const details: ErrorDetail[] = missing.filter(({ text }) => !this.#keys.mayHave(text)).map(problemOf)
      return details.length === 0 ? [] : [{ line, type, details }]
    })
    return reportAfter(report, { records: 0, saved: [], refusals })
  }
}
