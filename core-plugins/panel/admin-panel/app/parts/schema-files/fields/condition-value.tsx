import { useState } from 'react'
import { typedValue } from '../../../content/schema/typed-value.ts'
import { valueKindOf } from '../../../content/schema/value-kinds.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Select } from '../../../ground/kit/field/select.tsx'
import { TextArea, TextField } from '../../../ground/kit/field/text-field.tsx'
import type { FieldCondition } from '../draft/edit-fields.ts'
import type { FileAttribute } from '../draft/file-content.ts'
import { isPresence, takesList } from './condition-operators.ts'

interface ConditionValueProps {
  readonly condition: FieldCondition
  readonly compared: FileAttribute | undefined
  readonly onChange: (value: unknown) => void
}

/** The input for a condition's value; presence operators need none. */
export function ConditionValue({ condition: { operator, value }, compared, onChange }: ConditionValueProps) {
  const isList = takesList(operator)
  const type = compared?.type ?? 'string'
  const [typed, setTyped] = useState(Array.isArray(value) ? value.join('\n') : String(value ?? ''))
  if (isPresence(operator)) return null
  const choices = choicesOf(compared)
  if (choices !== undefined && !isList) {
    return (
      <Select
        label={t('model.value')}
        value={String(value)}
        options={choices.map((each) => ({ value: each, label: each }))}
        onChange={(chosen) => onChange(typedValue(chosen, type))}
      />
    )
  }
  const Input = isList ? TextArea : TextField
  return (
    <Input
      label={t('model.value')}
      help={isList ? t('model.oneALine') : undefined}
      value={typed}
      onChange={(text) => {
        setTyped(text)
        const lines = text.split('\n').filter((line) => line.trim() !== '')
        onChange(isList ? lines.map((line) => typedValue(line, type)) : typedValue(text, type))
      }}
    />
  )
}

function choicesOf(compared: FileAttribute | undefined): readonly string[] | undefined {
  if (valueKindOf(compared?.type ?? 'string').operand === 'flag') return ['true', 'false']
  return Array.isArray(compared?.enum) ? compared.enum.map(String) : undefined
}
