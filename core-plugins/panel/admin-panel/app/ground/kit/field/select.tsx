import classes from './field.module.css'
import { FieldFrame, type FieldFrameProps } from './field.tsx'

export interface Option {
  readonly value: string
  readonly label: string
}

export interface SelectProps extends FieldFrameProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly options: readonly Option[]
  /** The label of the empty choice, first in the list. */
  readonly placeholder?: string
  readonly isDisabled?: boolean
  readonly name?: string
}

/**
 * A choice from a few options. The browser's own control: it is cheap to mount, and every phone and screen reader supports it.
 */
export function Select({
  value,
  onChange,
  options,
  placeholder,
  isDisabled = false,
  name,
  ...frame
}: SelectProps) {
  return (
    <FieldFrame {...frame}>
      {(ids) => (
        <select
          {...ids}
          name={name}
          className={`${classes.input} ${classes.select}`}
          value={value}
          disabled={isDisabled}
          onChange={(event) => onChange(event.target.value)}
        >
          {placeholder !== undefined && <option value="">{placeholder}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </FieldFrame>
  )
}
