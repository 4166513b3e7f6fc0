import { useId } from 'react'
import { t } from '../../../ground/i18n/translate.ts'
import type { MergeConflict } from '../../schema/merged.ts'
import { ShownChange } from '../diff/changes.tsx'
import { diffValue } from '../diff/diff-entry.ts'
import { useSchemaFacts } from '../diff/use-schema-facts.ts'
import { useEntrySession } from '../entry-session.ts'
import { type Choice, mayKeepBoth } from '../merge/merge-entry.ts'
import { usePathWords } from '../use-path-words.ts'
import { attributeAt } from './attribute-at.ts'
import classes from './conflict.module.css'
import { readable } from './readable.ts'

export interface ConflictChoiceProps {
  readonly conflict: MergeConflict
  /** The merged values that the conflict refers to. */
  readonly values: unknown
  readonly choice: Choice | undefined
  readonly onChoose: (choice: Choice) => void
}

/** Shows the user's value and the other user's value side by side, to choose between. */
export function ConflictChoice({ conflict, values, choice, onChoose }: ConflictChoiceProps) {
  const wordsOf = usePathWords(values)
  const name = useId()
  const option = (value: Choice, label: string, side?: 'mine' | 'theirs') => (
    <div className={`${classes.option} ${side === undefined ? classes.wide : ''}`}>
      <label className={classes.name}>
        <input
          type="radio"
          name={name}
          checked={choice === value}
          aria-describedby={side === undefined ? undefined : `${name}-${side}`}
          onChange={() => onChoose(value)}
        />
        {label}
      </label>
      {side !== undefined && (
        <div id={`${name}-${side}`} className={classes.value}>
          <Side conflict={conflict} values={values} side={side} />
        </div>
      )}
    </div>
  )
  return (
    <fieldset className={classes.conflict}>
      <legend className={classes.legend}>{wordsOf(conflict.path)}</legend>
      {option('mine', t('entry.mine'), 'mine')}
      {option('theirs', t('entry.theirs'), 'theirs')}
      {mayKeepBoth(conflict) && option('both', t('entry.both'))}
    </fieldset>
  )
}

interface SideProps extends Pick<ConflictChoiceProps, 'conflict' | 'values'> {
  readonly side: 'mine' | 'theirs'
}

/** One side's change, shown as in the publish dialog; the plain value if its field is unknown. */
function Side({ conflict, values, side }: SideProps) {
  const { type } = useEntrySession()
  const facts = useSchemaFacts()
  if (facts === undefined) return null
  const attribute = attributeAt(conflict, { ...type, ...facts, values })
  const { base, [side]: value } = conflict
  const change = attribute && diffValue(attribute, base, value, facts.fieldsOf)
  if (change === undefined) return readable(value)
  return <ShownChange change={change} layout="inline" facts={facts} />
}
