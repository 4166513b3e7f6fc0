import { Suspense, useState } from 'react'
import { localTextOf, momentOf } from '../../../ground/i18n/local-time.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Checkbox } from '../../../ground/kit/checkbox/checkbox.tsx'
import { MomentField } from '../../../ground/kit/field/moment-field.tsx'
import { Select } from '../../../ground/kit/field/select.tsx'
import { TextField } from '../../../ground/kit/field/text-field.tsx'
import { Spinner } from '../../../ground/kit/loading/loading.tsx'
import { lazyPart } from '../../../ground/lazy/lazy-part.ts'
import { useTyped } from '../../schema/use-typed.ts'
import { writtenNumbers } from '../../schema/written-numbers.ts'
import { usePeople } from '../data/use-people.ts'
import type { FilterField } from './fields.ts'
import type { Filter } from './filter.ts'
import classes from './filter-chips.module.css'

const EntryPicker = lazyPart(() => import('./entry-picker.tsx'))

export interface OperandProps {
  readonly field: FilterField
  readonly filter: Filter
  readonly problem: string | undefined
  readonly onChange: (values: readonly string[]) => void
}

/** The input for a filter's operand. */
export function Operand(props: OperandProps) {
  const { field, filter, problem, onChange } = props
  if (field.operand === 'choice') return <Choices {...props} />
  if (field.operand === 'person') return <People {...props} />
  if (field.operand === 'entry' && field.target !== undefined) {
    return (
      <Suspense fallback={<Spinner />}>
        <EntryPicker type={field.target} ids={filter.values} onChange={onChange} />
      </Suspense>
    )
  }
  if (field.operand === 'flag') {
    return (
      <Select
        label={t('list.value')}
        problem={problem}
        value={filter.values[0] ?? 'true'}
        options={[
          { value: 'true', label: t('list.yes') },
          { value: 'false', label: t('list.no') },
        ]}
        onChange={(value) => onChange([value])}
      />
    )
  }
  if (filter.operator === 'between') return <Pair {...props} />
  return <Value {...props} label={t('list.value')} index={0} />
}

function Pair(props: OperandProps) {
  return (
    <div className={classes.pair}>
      <Value {...props} label={t('list.from')} index={0} />
      <Value {...props} label={t('list.to')} index={1} />
    </div>
  )
}

function Value({ field, filter, problem, onChange, label, index }: OperandProps & ValuePlace) {
  const value = filter.values[index] ?? ''
  const set = (next: string) =>
    onChange(
      filter.operator === 'between'
        ? [0, 1].map((at) => (at === index ? next : (filter.values[at] ?? '')))
        : [next],
    )
  const shared = { label, problem: index === 0 ? problem : undefined }
  if (field.operand === 'day') return <TextField {...shared} type="date" value={value} onChange={set} />
  if (field.operand === 'moment') return <MomentValue {...shared} value={value} onChange={set} />
  if (field.operand === 'number') return <NumberValue {...shared} value={value} onChange={set} />
  return <TextField {...shared} value={value} onChange={set} />
}

/** A number in the user's format; ambiguous text is not used until the user makes it clear. */
function NumberValue({ label, problem, value, onChange }: TypedValueProps) {
  const { ambiguityOf, format, parseDecimal } = writtenNumbers()
  const textOf = (text: string) => (ambiguityOf(text) === undefined ? String(parseDecimal(text) ?? '') : '')
  const [typed, setTyped] = useState(() => format(value))
  const text = textOf(typed) === value ? typed : format(value)
  const ambiguity = ambiguityOf(text)
  return (
    <TextField
      label={label}
      problem={ambiguity === undefined ? problem : t('kit.ambiguousNumber', { ...ambiguity })}
      value={text}
      inputMode="decimal"
      onChange={(next) => {
        setTyped(next)
        onChange(textOf(next))
      }}
    />
  )
}

function MomentValue({ label, problem, value, onChange }: TypedValueProps) {
  const { text, type } = useTyped({
    value,
    set: (moment) => onChange(moment ?? ''),
    format: () => localTextOf(value),
    parse: (text) => momentOf(text)?.toISOString() ?? '',
  })
  return <MomentField label={label} problem={problem} value={text} onChange={type} />
}

interface TypedValueProps {
  readonly label: string
  readonly problem: string | undefined
  readonly value: string
  readonly onChange: (value: string) => void
}

interface ValuePlace {
  readonly label: string
  readonly index: 0 | 1
}

function Choices({ field, filter, onChange }: OperandProps) {
  const { values } = filter
  return (
    <fieldset aria-label={t('list.value')} className={classes.options}>
      {field.options?.map(({ value, label }) => (
        <Checkbox
          key={value}
          isSelected={values.includes(value)}
          onChange={(isChosen) =>
            onChange(isChosen ? [...values, value] : values.filter((each) => each !== value))
          }
        >
          {label}
        </Checkbox>
      ))}
    </fieldset>
  )
}

/** Admin users, by name. */
function People(props: OperandProps) {
  const people = usePeople(true)
  if (people === undefined) return <Spinner />
  const options = [...people].map(([id, label]) => ({ value: String(id), label }))
  return <Choices {...props} field={{ ...props.field, options }} />
}
