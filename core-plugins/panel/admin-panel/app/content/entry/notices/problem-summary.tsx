import { useEffect, useRef } from 'react'
import type { DescribedType } from '../../../ground/api/content-types.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { topFieldOf } from '../../schema/value-path.ts'
import { useEntry } from '../entry-session.ts'
import type { Problem } from '../store/problems.ts'
import { usePathWords } from '../use-path-words.ts'
import classes from './notices.module.css'

/**
 * Lists the problems that keep the entry from being saved, with links to their fields. It takes the focus when a save is refused.
 */
export function ProblemSummary() {
  const { problems, type } = useEntry()
  const summary = useRef<HTMLDivElement>(null)
  const count = problems.length
  const lastCount = useRef(0)
  useEffect(() => {
    // If there are fewer problems, the user is fixing them: leave the focus alone.
    if (count > lastCount.current) summary.current?.focus()
    lastCount.current = count
  }, [count])
  if (count === 0) return null
  return (
    <div ref={summary} tabIndex={-1} role="alert" className={`${classes.summary} ${classes.danger}`}>
      <h2 className={classes.title}>{t('entry.problems', { count })}</h2>
      <ul className={classes.list}>
        {inOrder(problems, type).map((problem) => (
          <Item key={`${problem.path} ${problem.message}`} problem={problem} />
        ))}
      </ul>
    </div>
  )
}

/** Sorts problems in the order of the fields in the form. */
function inOrder(problems: readonly Problem[], { attributes }: DescribedType): readonly Problem[] {
  const places = new Map(attributes.map(({ name }, index) => [name, index]))
  const placeOf = ({ path }: Problem) => places.get(topFieldOf(path)) ?? attributes.length
  return [...problems].sort((one, other) => placeOf(one) - placeOf(other))
}

function Item({ problem: { path, message } }: { readonly problem: Problem }) {
  const { type, reveal } = useEntry()
  const wordsOf = usePathWords()
  const hasField = type.attributes.some(({ name }) => name === topFieldOf(path))
  return (
    <li>
      {hasField ? (
        <button type="button" className={classes.link} onClick={() => reveal(path)}>
          {wordsOf(path)}
        </button>
      ) : (
        path
      )}
      {`: ${message}`}
    </li>
  )
}
