import type { Draft } from '../draft/draft.ts'
import classes from './fields.module.css'

interface SchemaProblemsProps {
  readonly problems: Draft['problems']
  /** Names the subject of a problem, if it is not clear from its position. */
  readonly subjectOf?: (pointer: string) => string
}

/** The problems of a schema file, with advice. */
export function SchemaProblems({ problems, subjectOf = () => '' }: SchemaProblemsProps) {
  return problems.map(({ pointer, message, remedy }) => (
    <p key={`${pointer} ${message}`} className={classes.problem}>
      {subjectOf(pointer)} {message} → {remedy}
    </p>
  ))
}
