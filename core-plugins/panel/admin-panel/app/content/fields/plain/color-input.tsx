import { t } from '../../../ground/i18n/translate.ts'
import { TextField } from '../../../ground/kit/field/text-field.tsx'
import { useField } from '../../entry/use-field.ts'
import type { FieldInputProps } from '../../schema/field-kinds.ts'
import classes from './plain.module.css'

const whole = /^#[0-9a-f]{6}$/i

/** A colour as `#rrggbb`, written or picked. */
export function ColorInput({ path, attribute, frame, placeholder }: FieldInputProps) {
  const { value, set, problem, disabled } = useField<string>(path)
  const text = typeof value === 'string' ? value : ''
  return (
    <div className={classes.withButton}>
      <TextField
        {...frame}
        problem={problem}
        value={text}
        onChange={(typed) => set(typed === '' && !attribute.required ? null : typed)}
        isDisabled={disabled}
        placeholder={placeholder ?? '#rrggbb'}
        autoComplete="off"
      />
      <input
        type="color"
        aria-label={t('entry.pickColor', { label: frame.label })}
        className={classes.swatch}
        value={whole.test(text) ? text : '#000000'}
        disabled={disabled}
        onChange={(event) => set(event.target.value)}
      />
    </div>
  )
}
