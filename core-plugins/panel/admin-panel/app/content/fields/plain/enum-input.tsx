import { t } from '../../../ground/i18n/translate.ts'
import { Select } from '../../../ground/kit/field/select.tsx'
import { useField } from '../../entry/use-field.ts'
import type { FieldInputProps } from '../../schema/field-kinds.ts'

/** One of the texts that the schema lists. */
export function EnumInput({ path, attribute, frame, placeholder }: FieldInputProps) {
  const { value, set, problem, disabled } = useField<string>(path)
  const values = Array.isArray(attribute.enum) ? attribute.enum.map(String) : []
  const isUnknown = typeof value === 'string' && !values.includes(value)
  const shown = isUnknown ? [...values, value] : values
  const mayBeNone = !attribute.required || typeof value !== 'string'
  return (
    <Select
      {...frame}
      problem={problem ?? (isUnknown ? t('entry.notAnOption') : undefined)}
      value={value ?? ''}
      onChange={(chosen) => set(chosen === '' ? null : chosen)}
      isDisabled={disabled}
      options={shown.map((each) => ({ value: each, label: each }))}
      {...(mayBeNone ? { placeholder: placeholder ?? t('entry.notSet') } : {})}
    />
  )
}
