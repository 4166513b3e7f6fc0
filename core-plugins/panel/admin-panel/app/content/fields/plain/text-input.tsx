import { TextArea, TextField, type TextFieldProps } from '../../../ground/kit/field/text-field.tsx'
import { useField } from '../../entry/use-field.ts'
import type { FieldInputProps } from '../../schema/field-kinds.ts'
import { useWriting } from '../use-writing.ts'
import { textLength } from './text-length.ts'

/** Creates a single-line input; `type` selects the keyboard on phones and autofill. */
export function lineInput(type: TextFieldProps['type'] = 'text') {
  return function LineInput({ path, attribute, frame, placeholder }: FieldInputProps) {
    const { value, set, problem, disabled } = useField<string>(path)
    const { help, tooLong } = textLength(value, attribute, frame.help)
    const writing = useWriting(path)
    return (
      <TextField
        {...frame}
        {...(type === 'text' ? writing : {})}
        help={help}
        problem={problem ?? tooLong}
        type={type}
        value={textOf(value)}
        onChange={(text) => set(text === '' && !attribute.required ? null : text)}
        isDisabled={disabled}
        placeholder={placeholder ?? ''}
        autoComplete={type === 'password' ? 'new-password' : 'off'}
      />
    )
  }
}

/** Several lines of plain text. */
export function AreaInput({ path, attribute, frame, placeholder }: FieldInputProps) {
  const { value, set, problem, disabled } = useField<string>(path)
  const { help, tooLong } = textLength(value, attribute, frame.help)
  const writing = useWriting(path)
  return (
    <TextArea
      {...frame}
      {...writing}
      help={help}
      problem={problem ?? tooLong}
      value={textOf(value)}
      onChange={(text) => set(text === '' && !attribute.required ? null : text)}
      isDisabled={disabled}
      placeholder={placeholder ?? ''}
    />
  )
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
