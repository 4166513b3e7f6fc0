import { useEffect, useRef, useState } from 'react'
import { t } from '../../../ground/i18n/translate.ts'
import { Select } from '../../../ground/kit/field/select.tsx'
import { newFilter, operatorLabel, startValues } from './edited-filter.ts'
import type { FilterField } from './fields.ts'
import { type Filter, isPresence, type Operator } from './filter.ts'
import classes from './filter-chips.module.css'
import { Operand } from './operand.tsx'

export interface FilterEditorProps {
  readonly fields: readonly FilterField[]
  readonly filter: Filter | undefined
  /** The problem reported by the service. */
  readonly problem: string | undefined
  readonly onChange: (filter: Filter) => void
}

const pauseMs = 250

/** Edits a filter: field, operator, value. It applies while the user types. */
export default function FilterEditor({ fields, filter: given, problem, onChange }: FilterEditorProps) {
  const [filter, setFilter] = useDelayed(given, onChange)
  const field = fields.find(({ path }) => path === filter?.path)
  return (
    <div className={classes.editor}>
      <Select
        label={t('list.field')}
        value={filter?.path ?? ''}
        {...(filter === undefined && { placeholder: t('list.chooseField') })}
        options={fields.map(({ path, label }) => ({ value: path, label }))}
        onChange={(path) => {
          const chosen = fields.find((each) => each.path === path)
          if (chosen !== undefined) setFilter(newFilter(chosen), { isTyped: false })
        }}
      />
      {filter !== undefined && field !== undefined && (
        <>
          <Select
            label={t('list.condition')}
            value={filter.operator}
            options={operatorsFor(field, filter).map((operator) => ({
              value: operator,
              label: operatorLabel(operator, field.operand),
            }))}
            onChange={(chosen) =>
              setFilter(withOperator(filter, field, chosen as Operator), { isTyped: false })
            }
          />
          {!isPresence(filter.operator) && (
            <Operand
              field={field}
              filter={filter}
              problem={problem}
              onChange={(values) => setFilter({ ...filter, values }, { isTyped: true })}
            />
          )}
        </>
      )}
    </div>
  )
}

/** The operators of a field, including the present one: a URL may contain an operator that the builder does not offer. */
const operatorsFor = ({ operators }: FilterField, { operator }: Filter) =>
  operators.includes(operator) ? operators : [...operators, operator]

/** Changes the operator, keeping the values if the new one takes as many. */
function withOperator(filter: Filter, { operand }: FilterField, operator: Operator): Filter {
  const fresh = startValues(operand, operator)
  const isSame = fresh.length === startValues(operand, filter.operator).length
  return { ...filter, operator, values: isSame ? filter.values : fresh }
}

type SetFilter = (filter: Filter, how: { readonly isTyped: boolean }) => void

/** Shows input immediately and passes it on after a pause. */
function useDelayed(
  given: Filter | undefined,
  onChange: (filter: Filter) => void,
): [Filter | undefined, SetFilter] {
  const [filter, setFilter] = useState(given)
  const pending = useRef<{ readonly filter: Filter; readonly timer: ReturnType<typeof setTimeout> }>(
    undefined,
  )
  const pass = useRef(onChange)
  pass.current = onChange
  useEffect(
    () => () => {
      // Applies the last input even if the popover closes before the pause is over.
      if (pending.current === undefined) return
      clearTimeout(pending.current.timer)
      pass.current(pending.current.filter)
    },
    [],
  )
  function set(next: Filter, { isTyped }: { readonly isTyped: boolean }) {
    setFilter(next)
    clearTimeout(pending.current?.timer)
    const done = () => {
      pending.current = undefined
      pass.current(next)
    }
    if (isTyped) pending.current = { filter: next, timer: setTimeout(done, pauseMs) }
    else done()
  }
  return [filter, set]
}
