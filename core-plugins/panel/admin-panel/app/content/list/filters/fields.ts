import type { Access } from '../../../ground/access/access.ts'
import type { DescribedAttribute, DescribedType } from '../../../ground/api/content-types.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { labelOf } from '../../schema/label.ts'
import { type ValueOperand, valueKindOf } from '../../schema/value-kinds.ts'
import type { Operator } from './filter.ts'

/** The kind of input for the value to compare with. */
export type OperandKind = ValueOperand | 'entry' | 'person'

/** A field by which a list can be filtered. */
export interface FilterField {
  /** `title`, or `author.name`. */
  readonly path: string
  readonly label: string
  readonly operand: OperandKind
  readonly operators: readonly Operator[]
  /** Of a choice. */
  readonly options?: readonly { readonly value: string; readonly label: string }[]
  /** The type whose entries can be chosen. */
  readonly target?: DescribedType
}

const presence = ['notNull', 'null'] as const
const ordered = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'between', ...presence] as const

/** The operators for each kind of operand, most useful first. */
const operatorsOf: Readonly<Record<OperandKind, readonly Operator[]>> = {
  text: ['containsi', 'notContainsi', 'startsWithi', 'endsWithi', 'eq', 'ne', ...presence],
  number: ordered,
  day: ['gte', 'lt', 'eq', 'between', ...presence],
  moment: ['gte', 'lt', 'between', ...presence],
  choice: ['in', 'notIn', ...presence],
  flag: ['eq', ...presence],
  entry: ['in', 'notIn', ...presence],
  person: ['in', 'notIn', ...presence],
  none: presence,
}

/** All fields by which entries of a type can be filtered, including fields of related entries. */
export function filterFields(
  type: DescribedType,
  types: readonly DescribedType[],
  access: Pick<Access, 'isOn'>,
): readonly FilterField[] {
  const { attributes, addedFields = [] } = type
  const own = [...attributes, ...addedFields].flatMap((attribute) => attributeFields(attribute, types))
  return [...own, ...systemFields(type, access), ...relatedFields(type, types)]
}

/** An attribute, or a field that a plugin stores in a column of its own. */
type DescribedField = Partial<DescribedAttribute> & Pick<DescribedAttribute, 'name' | 'type'>

function attributeFields(attribute: DescribedField, types: readonly DescribedType[]): FilterField[] {
  const { name, type } = attribute
  const base = { path: name, label: labelOf(attribute) }
  if (type === 'relation') return relationField(attribute, types)
  const { operand } = valueKindOf(type)
  if (operand === undefined) return []
  const field = { ...base, operand, operators: operatorsOf[operand] }
  if (operand !== 'choice') return [field]
  const values = (attribute.enum ?? []) as readonly string[]
  return [{ ...field, options: values.map((value) => ({ value, label: value })) }]
}

function relationField(attribute: DescribedField, types: readonly DescribedType[]): FilterField[] {
  const target = types.find(({ name }) => name === attribute.target)
  if (target === undefined) return []
  const operand: OperandKind = target.system ? 'none' : 'entry'
  const field = { path: attribute.name, label: labelOf(attribute), operand, operators: operatorsOf[operand] }
  return [target.system ? field : { ...field, target }]
}

/** The fields of entries in to-one relations. */
function relatedFields(type: DescribedType, types: readonly DescribedType[]): FilterField[] {
  return type.attributes
    .filter((attribute) => attribute.type === 'relation' && attribute.many !== true)
    .flatMap((attribute) => {
      const target = types.find(({ name, system }) => name === attribute.target && !system)
      const plain =
        target?.attributes.filter((each) => each.type !== 'relation' && each.type !== 'media') ?? []
      return plain
        .flatMap((each) => attributeFields(each, types))
        .map((field) => ({
          ...field,
          path: `${attribute.name}.${field.path}`,
          label: `${labelOf(attribute)} › ${field.label}`,
        }))
    })
}

function systemFields(type: DescribedType, { isOn }: Pick<Access, 'isOn'>): FilterField[] {
  const { locales } = type
  const { draftAndPublish, timestamps } = type.options
  const states = type.workflow?.states.map(({ name, label }) => ({ value: name, label }))
  return [
    plainField('id', t('list.column.id'), 'number'),
    ...(states === undefined ? [] : [choiceField('workflow_state', t('list.column.workflow'), states)]),
    ...(locales.length > 0 ? [choiceField('translation_status', t('list.column.locales'), statuses())] : []),
    ...(draftAndPublish === true ? [plainField('published_at', t('list.column.publishedAt'), 'moment')] : []),
    ...(timestamps === false
      ? []
      : [
          plainField('created_at', t('list.column.createdAt'), 'moment'),
          plainField('updated_at', t('list.column.updatedAt'), 'moment'),
        ]),
    ...(isOn('authors')
      ? [
          nameField('created_by', t('list.column.createdBy')),
          nameField('updated_by', t('list.column.updatedBy')),
        ]
      : []),
    ...(isOn('discussion') ? [plainField('assignee', t('list.column.assignees'), 'person')] : []),
  ]
}

const plainField = (path: string, label: string, operand: OperandKind): FilterField => ({
  path,
  label,
  operand,
  operators: operatorsOf[operand],
})

type Options = NonNullable<FilterField['options']>

const choiceField = (path: string, label: string, options: Options): FilterField => ({
  ...plainField(path, label, 'choice'),
  options,
})

const statuses = (): Options =>
  (['draft', 'in_review', 'approved', 'published', 'outdated'] as const).map((value) => ({
    value,
    label: t(`list.locale.${value}`),
  }))

/** Values from plugins are only compared as a whole. */
const nameField = (path: string, label: string): FilterField => ({
  path,
  label,
  operand: 'text',
  operators: ['eq', 'ne', ...presence],
})
