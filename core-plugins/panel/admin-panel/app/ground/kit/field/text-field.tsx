import type { InputHTMLAttributes } from 'react'
import classes from './field.module.css'
import { FieldFrame, type FieldFrameProps } from './field.tsx'

type InputProps = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  | 'autoComplete'
  | 'autoFocus'
  | 'dir'
  | 'inputMode'
  | 'lang'
  | 'maxLength'
  | 'name'
  | 'onBlur'
  | 'onKeyDown'
  | 'placeholder'
  | 'readOnly'
> & { readonly isDisabled?: boolean }

export interface TextFieldProps extends FieldFrameProps, InputProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly type?:
    | 'text'
    | 'email'
    | 'password'
    | 'search'
    | 'url'
    | 'tel'
    | 'date'
    | 'datetime-local'
    | 'time'
    | 'color'
}

/** One line of text. */
export function TextField(props: TextFieldProps) {
  const {
    label,
    help,
    problem,
    isRequired,
    isLabelHidden,
    isDisabled,
    onChange,
    type = 'text',
    ...input
  } = props
  return (
    <FieldFrame {...frameOf({ label, help, problem, isRequired, isLabelHidden })}>
      {(ids) => (
        <input
          disabled={isDisabled}
          {...input}
          {...ids}
          type={type}
          className={classes.input}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </FieldFrame>
  )
}

export interface TextAreaProps
  extends FieldFrameProps,
    Omit<InputProps, 'onKeyDown' | 'onBlur' | 'inputMode'> {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onBlur?: () => void
}

/** Several lines of text; grows with them. */
export function TextArea(props: TextAreaProps) {
  const { label, help, problem, isRequired, isLabelHidden, isDisabled, onChange, ...area } = props
  return (
    <FieldFrame {...frameOf({ label, help, problem, isRequired, isLabelHidden })}>
      {(ids) => (
        <textarea
          disabled={isDisabled}
          {...area}
          {...ids}
          rows={3}
          className={`${classes.input} ${classes.area}`}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </FieldFrame>
  )
}

export interface NumberFieldProps
  extends FieldFrameProps,
    Pick<InputProps, 'isDisabled' | 'name' | 'placeholder'> {
  /** The typed text, so that nothing is lost to rounding; '' for none. */
  readonly value: string
  readonly onChange: (value: string) => void
  readonly min?: number
  readonly max?: number
  readonly isInteger?: boolean
}

/** A number input. It keeps the typed text; the form checks whether it is a number. */
export function NumberField(props: NumberFieldProps) {
  const { isInteger = false, min, max, help, ...rest } = props
  const limits = [min === undefined ? '' : `≥ ${min}`, max === undefined ? '' : `≤ ${max}`].filter(Boolean)
  return (
    <TextField
      {...rest}
      inputMode={isInteger && (min ?? -1) >= 0 ? 'numeric' : 'decimal'}
      help={help ?? (limits.join(', ') || undefined)}
    />
  )
}

/** Drops undefined members, which the compiler distinguishes from absent ones. */
function frameOf(
  frame: { [Name in keyof FieldFrameProps]: FieldFrameProps[Name] | undefined },
): FieldFrameProps {
  return Object.fromEntries(
    Object.entries(frame).filter(([, value]) => value !== undefined),
  ) as unknown as FieldFrameProps
}
