import { useState } from 'react'
import type { DescribedAttribute } from '../../../ground/api/content-types.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Checkbox } from '../../../ground/kit/checkbox/checkbox.tsx'
import { Select } from '../../../ground/kit/field/select.tsx'
import { typedValue } from '../../schema/typed-value.ts'
import { valueKindOf } from '../../schema/value-kinds.ts'
import type { FilterField } from '../filters/fields.ts'
import { Operand } from '../filters/operand.tsx'
import type { List } from '../list-context.ts'
import classes from './bulk.module.css'

/** The values written into each entry. */
export type Change = Readonly<Record<string, unknown>>

export interface ChangeFormProps {
  readonly list: List
  /** Called with undefined while the form is incomplete. */
  readonly onChange: (change: Change | undefined) => void
}

interface Entered {
  readonly field: FilterField
  readonly values: readonly string[]
  readonly isEmptied: boolean
}

/** A form for one field and its new value in all selected entries. */
export function ChangeForm({ list, onChange }: ChangeFormProps) {
  const [entered, setEntered] = useState<Entered>()
  const { attributes } = list.type
  const fields = list.fields.filter((field) => isChangeable(attributeOf(attributes, field)))
  const attribute = attributeOf(attributes, entered?.field)
  function enter(next: Entered) {
    setEntered(next)
    onChange(changeOf(next, attributeOf(attributes, next.field)))
  }
  return (
    <div className={classes.form}>
      <Select
        label={t('list.field')}
        value={entered?.field.path ?? ''}
        {...(entered === undefined && { placeholder: t('list.chooseField') })}
        options={fields.map(({ path, label }) => ({ value: path, label }))}
        onChange={(path) => {
          const field = fields.find((each) => each.path === path)
          if (field !== undefined) enter({ field, values: firstValues(field), isEmptied: false })
        }}
      />
      {entered !== undefined && attribute !== undefined && (
        <>
          {!entered.isEmptied && (
            <NewValue
              entered={entered}
              attribute={attribute}
              onChange={(values) => enter({ ...entered, values })}
            />
          )}
          {!attribute.required && (
            <Checkbox
              isSelected={entered.isEmptied}
              onChange={(isEmptied) => enter({ ...entered, isEmptied })}
            >
              {t('list.makeEmpty')}
            </Checkbox>
          )}
        </>
      )}
    </div>
  )
}

interface NewValueProps {
  readonly entered: Entered
  readonly attribute: DescribedAttribute
  readonly onChange: (values: readonly string[]) => void
}

function NewValue({ entered: { field, values }, attribute, onChange }: NewValueProps) {
  if (field.operand === 'choice') {
    return (
      <Select
        label={t('list.value')}
        placeholder={t('kit.choose')}
        value={values[0] ?? ''}
        options={field.options ?? []}
        onChange={(value) => onChange(value === '' ? [] : [value])}
      />
    )
  }
  return (
    <Operand
      field={field}
      filter={{ path: field.path, operator: 'eq', values }}
      problem={undefined}
      onChange={(next) => onChange(attribute.many === true ? next : next.slice(-1))}
    />
  )
}

/** Unique fields cannot have the same value in several entries. */
const isChangeable = (attribute: DescribedAttribute | undefined) =>
  attribute !== undefined &&
  valueKindOf(attribute.type).isBulkEditable === true &&
  attribute.unique !== true &&
  attribute.inverse !== true

const attributeOf = (attributes: readonly DescribedAttribute[], field: FilterField | undefined) =>
  attributes.find(({ name }) => name === field?.path)

const firstValues = ({ operand }: FilterField): readonly string[] => (operand === 'flag' ? ['true'] : [])

function changeOf(
  { field, values, isEmptied }: Entered,
  attribute: DescribedAttribute | undefined,
): Change | undefined {
  if (attribute === undefined) return undefined
  const isMany = attribute.type === 'relation' && attribute.many === true
  if (isEmptied) return { [field.path]: isMany ? [] : null }
  const given = values.filter((value) => value !== '')
  if (given.length === 0) return undefined
  const [first = ''] = given
  return {
    [field.path]: isMany ? given.map(Number) : typedValue(first, attribute.type),
  }
}
