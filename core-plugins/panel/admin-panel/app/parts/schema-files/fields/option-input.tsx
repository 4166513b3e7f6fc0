import { useState } from 'react'
import type { OptionSchema } from '../../../../../../../client/admin.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Checkbox } from '../../../ground/kit/checkbox/checkbox.tsx'
import { Select } from '../../../ground/kit/field/select.tsx'
import { NumberField, TextArea, TextField } from '../../../ground/kit/field/text-field.tsx'
import classes from './fields.module.css'
import { JsonOption } from './json-option.tsx'
import { optionHelp, optionName } from './option-text.ts'

export interface OptionInputProps {
  readonly option: string
  readonly schema: OptionSchema
  readonly value: unknown
  readonly isRequired: boolean
  /** The names of all components, for options that name some. */
  readonly components: readonly string[]
  /** Called with undefined to remove the option from the file. */
  readonly onChange: (value: unknown) => void
}

/** The input that the JSON Schema of an option asks for. */
export function OptionInput(props: OptionInputProps) {
  const { option, schema, value, isRequired, components, onChange } = props
  const frame = { label: optionName(option), help: optionHelp(option, schema.description), isRequired }
  const choices = option === 'component' ? components : schema.enum?.map(String)
  if (choices !== undefined) {
    return (
      <Select
        {...frame}
        placeholder={t('model.unset')}
        value={String(value ?? '')}
        options={choices.map((each) => ({ value: each, label: each }))}
        onChange={(chosen) => onChange(chosen === '' ? undefined : chosen)}
      />
    )
  }
  if (schema.type === 'boolean') return <Flag {...props} />
  if (schema.type === 'array') return <List {...props} />
  if (schema.type === 'integer') return <TypedNumber {...props} isInteger />
  if (schema.type === 'number') return <TypedNumber {...props} isInteger={false} />
  if (schema.type === 'string') {
    return (
      <TextField
        {...frame}
        value={String(value ?? '')}
        onChange={(text) => onChange(text === '' ? undefined : text)}
      />
    )
  }
  return isExactNumber(schema) ? (
    <TypedNumber {...props} isInteger={false} />
  ) : (
    <JsonOption {...frame} value={value} onChange={onChange} />
  )
}

/** Whether it is a number that may be written as text to keep every digit. */
const isExactNumber = ({ type }: OptionSchema) => Array.isArray(type) && type.includes('number')

/** A boolean option; a default can also be unset, which a checkbox cannot show. */
function Flag({ option, value, onChange }: OptionInputProps) {
  if (option !== 'default') {
    return (
      <Checkbox isSelected={value === true} onChange={(isOn) => onChange(isOn || undefined)}>
        {optionName(option)}
      </Checkbox>
    )
  }
  return (
    <Select
      label={optionName(option)}
      placeholder={t('model.unset')}
      value={value === undefined ? '' : String(value)}
      options={[
        { value: 'true', label: t('model.yes') },
        { value: 'false', label: t('model.no') },
      ]}
      onChange={(chosen) => onChange(chosen === '' ? undefined : chosen === 'true')}
    />
  )
}

/** A number input that keeps the typed text; text that is not a number, or has too many digits for one, is sent as text. */
function TypedNumber({
  option,
  schema,
  value,
  isInteger,
  onChange,
}: OptionInputProps & { isInteger: boolean }) {
  const [typed, setTyped] = useState(String(value ?? ''))
  function change(text: string) {
    setTyped(text)
    const number = Number(text)
    const isExact = text.trim() !== '' && String(number) === text.trim()
    onChange(text === '' ? undefined : isExact ? number : text)
  }
  return (
    <NumberField
      label={optionName(option)}
      help={optionHelp(option, schema.description)}
      isInteger={isInteger}
      value={typed}
      onChange={change}
    />
  )
}

/** A list: checkboxes for a fixed set, otherwise one item per line. */
function List({ option, schema, value, isRequired, components, onChange }: OptionInputProps) {
  const [typed, setTyped] = useState(Array.isArray(value) ? value.join('\n') : '')
  const choices = option === 'components' ? components : schema.items?.enum?.map(String)
  const help = optionHelp(option, schema.description)
  const emit = (items: readonly string[]) => onChange(items.length === 0 && !isRequired ? undefined : items)
  if (choices !== undefined) {
    const chosen = Array.isArray(value) ? (value as readonly string[]) : []
    return (
      <fieldset className={classes.group}>
        <legend>{optionName(option)}</legend>
        {help !== undefined && <p className={classes.note}>{help}</p>}
        {choices.map((each) => (
          <Checkbox
            key={each}
            isSelected={chosen.includes(each)}
            onChange={(isOn) => emit(isOn ? [...chosen, each] : chosen.filter((other) => other !== each))}
          >
            {each}
          </Checkbox>
        ))}
      </fieldset>
    )
  }
  return (
    <TextArea
      label={optionName(option)}
      help={[help, t('model.oneALine')].filter(Boolean).join(' · ')}
      isRequired={isRequired}
      value={typed}
      onChange={(text) => {
        setTyped(text)
        emit(text.split('\n').filter((line) => line.trim() !== ''))
      }}
    />
  )
}
