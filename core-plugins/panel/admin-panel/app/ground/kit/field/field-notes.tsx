import type { ReactNode } from 'react'
import classes from './field.module.css'

interface FieldNotesProps {
  /** The id of the field, a prefix of the ids of its notes. */
  readonly id: string
  readonly help: ReactNode
  readonly problem: string | undefined
}

/** The problem and help text of a field. */
export function FieldNotes({ id, help, problem }: FieldNotesProps) {
  return (
    <>
      {problem !== undefined && (
        <p id={`${id}-problem`} className={classes.problem}>
          {problem}
        </p>
      )}
      {help !== undefined && (
        <p id={`${id}-help`} className={classes.help}>
          {help}
        </p>
      )}
    </>
  )
}

/** The ids of the present notes, for `aria-describedby`. */
export function noteIds({ id, help, problem }: FieldNotesProps): string | undefined {
  const notes = [help === undefined ? '' : `${id}-help`, problem === undefined ? '' : `${id}-problem`]
  return notes.join(' ').trim() || undefined
}
