import { type ReactNode, useId } from 'react'
import { FieldNotes, noteIds } from '../field/field-notes.tsx'
import type { Option } from '../field/select.tsx'
import { Checkbox } from './checkbox.tsx'
import classes from './checkbox-list.module.css'

export interface CheckboxListProps {
  readonly label: string
  readonly help?: ReactNode
  readonly problem?: string | undefined
  readonly options: readonly Option[]
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
  readonly isDisabled?: boolean
}

/** A list of checkboxes. */
export function CheckboxList(props: CheckboxListProps) {
  const { label, help, problem, options, chosen, onChange, isDisabled = false } = props
  const id = useId()
  const notes = { id, help, problem }
  return (
    <fieldset className={classes.list} aria-describedby={noteIds(notes)}>
      <legend className={classes.legend}>{label}</legend>
      <div className={classes.options}>
        {options.map(({ value, label: name }) => (
          <Checkbox
            key={value}
            isSelected={chosen.includes(value)}
            isDisabled={isDisabled}
            onChange={(isChosen) =>
              onChange(isChosen ? [...chosen, value] : chosen.filter((each) => each !== value))
            }
          >
            {name}
          </Checkbox>
        ))}
      </div>
      <FieldNotes {...notes} />
    </fieldset>
  )
}
