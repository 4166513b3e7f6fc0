import type { Entry } from '../entry/entry.ts'
import type { EntryModel } from '../entry/entry-model.ts'
import { hasHidden, inheritHidden, withHidden } from '../entry/hidden-parts.ts'
import type { Change } from './change.ts'

type Columns = Change['columns']

/** Keeps what components have beyond what their schemas show: nobody who writes them has said that it should go. */
export interface HiddenColumns {
  /** Whether there is any of that in columns that are written. */
  isIn(entry: Entry, columns: Columns): boolean
  /** The columns with all of it, as they are to be stored. */
  keep(before: Entry, columns: Columns): Columns
}

export function createHiddenColumns({ stored }: EntryModel): HiddenColumns {
  const holders = stored.flatMap((field) => ('fit' in field && field.fit !== undefined ? [field] : []))
  return {
    isIn: (entry, columns) =>
      holders.some(({ name, column }) => Object.hasOwn(columns, column) && hasHidden(entry[name])),
    keep(before, columns) {
      const written = holders.filter(({ column }) => Object.hasOwn(columns, column))
      const whole = written.flatMap(({ name, column }): [string, unknown][] => {
        inheritHidden(before[name], columns[column])
        const value = withHidden(columns[column])
        return value === columns[column] ? [] : [[column, value]]
      })
      return whole.length === 0 ? columns : { ...columns, ...Object.fromEntries(whole) }
    },
  }
}
