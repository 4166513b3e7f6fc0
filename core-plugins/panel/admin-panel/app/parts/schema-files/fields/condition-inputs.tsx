import { t } from '../../../ground/i18n/translate.ts'
import { Select } from '../../../ground/kit/field/select.tsx'
import type { FieldCondition } from '../draft/edit-fields.ts'
import type { FileAttribute } from '../draft/file-content.ts'
import type { Owner } from '../owners/owner.ts'
import { conditionOperators, isPresence, takesList } from './condition-operators.ts'
import { ConditionValue } from './condition-value.tsx'
import classes from './fields.module.css'

export interface ConditionInputsProps {
  readonly owner: Owner
  /** The field that has the condition. */
  readonly own: string
  readonly condition: FieldCondition | undefined
  readonly onChange: (condition: FieldCondition | undefined) => void
}

/** Edits the condition under which the field is shown. */
export function ConditionInputs({ owner, own, condition, onChange }: ConditionInputsProps) {
  const others = owner.fields.filter(({ name }) => name !== own)
  const compared = others.find(({ name }) => name === condition?.field)
  const operator = condition?.operator ?? 'eq'
  return (
    <fieldset className={classes.group}>
      <legend>{t('model.condition')}</legend>
      <Select
        label={t('model.shownBy')}
        placeholder={t('model.always')}
        value={condition?.field ?? ''}
        options={others.map(({ name }) => ({ value: name, label: name }))}
        onChange={(field) => onChange(field === '' ? undefined : { field, operator: 'exists', value: true })}
      />
      {condition !== undefined && (
        <>
          <Select
            label={t('model.operator')}
            value={operator}
            options={conditionOperators.map((value) => ({ value, label: t(`model.operators.${value}`) }))}
            onChange={(chosen) =>
              onChange({
                field: condition.field,
                operator: chosen,
                value: firstValue(chosen, compared?.attribute),
              })
            }
          />
          <ConditionValue
            key={`${condition.field} ${operator}`}
            condition={condition}
            compared={compared?.attribute}
            onChange={(value) => onChange({ ...condition, value })}
          />
        </>
      )}
    </fieldset>
  )
}

/** The initial value of a condition, valid for the service if possible. */
function firstValue(operator: string, compared: FileAttribute | undefined): unknown {
  if (isPresence(operator)) return true
  const [first] = Array.isArray(compared?.enum) ? compared.enum : []
  const value = compared?.type === 'boolean' ? true : (first ?? '')
  return takesList(operator) ? [value].filter((each) => each !== '') : value
}
