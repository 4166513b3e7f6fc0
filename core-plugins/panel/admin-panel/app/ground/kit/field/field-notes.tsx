import type { ReactNode } from 'react'
import classes from './field.module.css'

interface FieldNotesProps {
  /** Of the field: those of the notes begin with it. */
  readonly id: string
  readonly help: ReactNode
  readonly problem: string | undefined
}

/** What is wrong with a field, and what helps to fill it in. */
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

/** The ids of the notes that are there, for `aria-describedby`. */
export function noteIds({ id, help, problem }: FieldNotesProps): string | undefined {
  const notes = [help === undefined ? '' : `${id}-help`, problem === undefined ? '' : `${id}-problem`]
  return notes.join(' ').trim() || undefined
}
