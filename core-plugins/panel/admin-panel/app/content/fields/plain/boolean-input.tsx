import { useId } from 'react'
import { t } from '../../../ground/i18n/translate.ts'
import { Checkbox } from '../../../ground/kit/checkbox/checkbox.tsx'
import { Select } from '../../../ground/kit/field/select.tsx'
import { useField } from '../../entry/use-field.ts'
import type { FieldInputProps } from '../../schema/field-kinds.ts'
import classes from './plain.module.css'

/** Yes or no, and a third state where null is a value of its own. */
export function BooleanInput(props: FieldInputProps) {
  const { required, default: declared } = props.attribute
  return required || declared !== undefined ? <YesOrNo {...props} /> : <YesNoOrNeither {...props} />
}

function YesOrNo({ path, frame }: FieldInputProps) {
  const { value, set, problem, disabled } = useField<boolean>(path)
  const id = useId()
  const note = problem ?? frame.help
  return (
    <div className={classes.toggle}>
      <Checkbox
        isSelected={value === true}
        isIndeterminate={typeof value !== 'boolean'}
        isDisabled={disabled}
        onChange={set}
        {...(note === undefined ? {} : { describedBy: id })}
      >
        {frame.label}
      </Checkbox>
      {note !== undefined && (
        <p id={id} className={problem === undefined ? classes.note : classes.problem}>
          {note}
        </p>
      )}
    </div>
  )
}

function YesNoOrNeither({ path, frame }: FieldInputProps) {
  const { value, set, problem, disabled } = useField<boolean>(path)
  return (
    <Select
      {...frame}
      problem={problem}
      value={typeof value === 'boolean' ? String(value) : ''}
      onChange={(chosen) => set(chosen === '' ? null : chosen === 'true')}
      isDisabled={disabled}
      placeholder={t('entry.notSet')}
      options={[
        { value: 'true', label: t('entry.yes') },
        { value: 'false', label: t('entry.no') },
      ]}
    />
  )
}
