import type { Draft } from '../draft/draft.ts'
import classes from './fields.module.css'

interface SchemaProblemsProps {
  readonly problems: Draft['problems']
  /** Says what each is about, where that is not clear from where it stands. */
  readonly subjectOf?: (pointer: string) => string
}

/** What is wrong with a schema file, and what can be done about it. */
export function SchemaProblems({ problems, subjectOf = () => '' }: SchemaProblemsProps) {
  return problems.map(({ pointer, message, remedy }) => (
    <p key={`${pointer} ${message}`} className={classes.problem}>
      {subjectOf(pointer)} {message} → {remedy}
    </p>
  ))
}
