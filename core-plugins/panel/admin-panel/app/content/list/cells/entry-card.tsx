import type { ShownColumn } from '../columns/shown-columns.ts'
import type { EntryRow } from '../data/entry-row.ts'
import { titleOf } from '../data/use-titles.ts'
import classes from './cell.module.css'
import { type CellContext, cellOf } from './cell.tsx'

interface EntryCardProps {
  readonly entry: EntryRow
  readonly columns: readonly ShownColumn[]
  readonly context: CellContext
}

/** How many values stand below the title. */
const shownValues = 2

const badges: ReadonlySet<string> = new Set(['publication', 'workflow', 'locales'])

/** A row as a card on phones: the title, the state and the first columns. */
export default function EntryCard({ entry, columns, context }: EntryCardProps) {
  const states = columns.filter(({ kind }) => badges.has(kind))
  const picture = columns.find(({ kind, field }) => kind === 'media' && hasValue(entry[field ?? '']))
  const values = columns.filter(
    ({ id, kind, field, meta, contributed }) =>
      !badges.has(kind) &&
      kind !== 'media' &&
      id !== context.type.titleField &&
      (contributed !== undefined || hasValue(meta === undefined ? entry[field ?? ''] : entry._meta?.[meta])),
  )
  return (
    <div className={classes.card}>
      {picture !== undefined && (
        <span className={classes.cardPicture}>{cellOf(picture, entry, context)}</span>
      )}
      <div className={classes.cardText}>
        <div className={classes.cardLine}>
          <span className={classes.title}>{titleOf(context.type, entry)}</span>
          <span className={classes.cardStates}>
            {states.slice(0, 1).map((column) => (
              <span key={column.id}>{cellOf(column, entry, context)}</span>
            ))}
          </span>
        </div>
        {values.slice(0, shownValues).map((column) => (
          <div key={column.id} className={classes.cardValue}>
            <span className={classes.cardLabel}>{column.label}</span>
            <span className={classes.clipped}>{cellOf(column, entry, context)}</span>
          </div>
        ))}
      </div>
    </div>
  )
}

const hasValue = (value: unknown) =>
  value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)
