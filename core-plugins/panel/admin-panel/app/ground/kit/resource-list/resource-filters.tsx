import { t } from '../../i18n/translate.ts'
import { MomentField } from '../field/moment-field.tsx'
import { Select } from '../field/select.tsx'
import { TextField } from '../field/text-field.tsx'
import { usePausedText } from '../field/use-paused-text.ts'
import type { ResourceFilter } from './resource.ts'
import classes from './resource-list.module.css'
import type { ListAddress } from './use-list-address.ts'

interface ResourceFiltersProps {
  readonly filters: readonly ResourceFilter[]
  readonly address: ListAddress
}

/** The filters above a list. */
export function ResourceFilters({ filters, address }: ResourceFiltersProps) {
  return (
    <search className={classes.filters}>
      {filters.map((filter) => (
        <FilterInput
          key={filter.name}
          filter={filter}
          value={address.values[filter.name] ?? ''}
          onChange={(value) => address.narrow(filter.name, value)}
        />
      ))}
    </search>
  )
}

interface FilterInputProps {
  readonly filter: ResourceFilter
  readonly value: string
  readonly onChange: (value: string) => void
}

function FilterInput({ filter, value, onChange }: FilterInputProps) {
  const { label, kind, options = [] } = filter
  if (kind === 'choice') {
    return (
      <Select
        label={label}
        value={value}
        onChange={onChange}
        options={options}
        placeholder={t('resources.any')}
      />
    )
  }
  if (kind === 'text') return <PausedTextField filter={filter} value={value} onChange={onChange} />
  return <MomentField label={label} value={value} onChange={onChange} />
}

function PausedTextField({ filter: { label, placeholder = '' }, value, onChange }: FilterInputProps) {
  const [typed, setTyped] = usePausedText(value, onChange)
  return (
    <TextField label={label} value={typed} onChange={setTyped} placeholder={placeholder} maxLength={100} />
  )
}
