import type { Entry } from '../entry/entry.ts'
import type { EntryModel } from '../entry/entry-model.ts'
import { hasHidden, inheritHidden, withHidden } from '../entry/hidden-parts.ts'
import type { Change } from './change.ts'

type Columns = Change['columns']

/** Keeps hidden parts of components, which their schemas do not show: writing a component does not mean that they should go. */
export interface HiddenColumns {
  /** Whether the columns to be written have hidden parts in the stored entry. */
  isIn(entry: Entry, columns: Columns): boolean
  /** The columns to store, including their hidden parts. */
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
