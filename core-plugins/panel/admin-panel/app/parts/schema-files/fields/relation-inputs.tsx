import { t } from '../../../ground/i18n/translate.ts'
import { Select } from '../../../ground/kit/field/select.tsx'
import { TextField } from '../../../ground/kit/field/text-field.tsx'
import { otherKinds } from '../draft/edit-fields.ts'
import { type FileAttribute, without } from '../draft/file-content.ts'
import type { FieldFormProps } from './field-input.ts'
import { kindName } from './field-summary.tsx'
import classes from './fields.module.css'
import { optionHelp, optionName } from './option-text.ts'

const relations = ['manyToOne', 'manyToMany', 'oneToOne', 'oneToMany']
const reactions = ['SET NULL', 'CASCADE', 'RESTRICT']

/** Edits the target, cardinality and inverse name of a relation. */
export function RelationInputs({ model, owner, input, onChange }: FieldFormProps) {
  const { attribute, otherSide } = input
  if (attribute.type !== 'relation') return null
  const { relation = '', target = '', mappedBy, onDelete = '' } = attribute
  const change = (next: Partial<FileAttribute>) =>
    onChange({ ...input, attribute: { ...attribute, ...next } })
  const isInverse = typeof mappedBy === 'string'
  const choice = { isRequired: true, isDisabled: isInverse, placeholder: t('kit.choose') }
  const canBeSeen = owner.kind === 'type' && Object.hasOwn(otherKinds, String(relation)) && target !== ''
  return (
    <fieldset className={classes.group}>
      <legend>{t('model.relation')}</legend>
      {isInverse && (
        <p className={classes.note}>{t('model.isInverse', { field: `${target}.${mappedBy}` })}</p>
      )}
      <Select
        {...choice}
        label={t('model.target')}
        value={String(target)}
        options={model.types.map(({ name, displayName }) => ({
          value: name,
          label: `${displayName} (${name})`,
        }))}
        onChange={(chosen) => change({ target: chosen })}
      />
      <Select
        {...choice}
        label={t('model.howMany')}
        value={String(relation)}
        options={relations.map((value) => ({ value, label: kindName(value) }))}
        onChange={(chosen) => change({ relation: chosen })}
      />
      {!isInverse && canBeSeen && (
        <TextField
          label={t('model.otherSide', { target: String(target) })}
          help={t('model.otherSideHelp', { target: String(target) })}
          value={otherSide}
          onChange={(text) => onChange({ ...input, otherSide: text })}
        />
      )}
      {owner.kind === 'type' && (
        <Select
          label={optionName('onDelete')}
          help={optionHelp('onDelete')}
          placeholder={t('model.unset')}
          value={String(onDelete)}
          options={reactions.map((value) => ({ value, label: value }))}
          onChange={(chosen) =>
            chosen === ''
              ? onChange({ ...input, attribute: without(attribute, 'onDelete') })
              : change({ onDelete: chosen })
          }
        />
      )}
    </fieldset>
  )
}
