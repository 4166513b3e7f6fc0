import { t } from '../../../ground/i18n/translate.ts'
import { Checkbox } from '../../../ground/kit/checkbox/checkbox.tsx'
import { Select } from '../../../ground/kit/field/select.tsx'
import { TextArea } from '../../../ground/kit/field/text-field.tsx'
import { conditionOf } from '../draft/edit-fields.ts'
import { type FileAttribute, without } from '../draft/file-content.ts'
import type { Owner } from '../owners/owner.ts'
import type { Model } from '../owners/use-model.ts'
import { ConditionInputs } from './condition-inputs.tsx'
import type { FieldFormProps } from './field-input.ts'
import { FieldName } from './field-name.tsx'
import classes from './fields.module.css'
import { JsonOption } from './json-option.tsx'
import { isLocalized, withLocalized } from './localized.ts'
import { OptionInput } from './option-input.tsx'
import { optionHelp, optionName, typeHelp, typeName } from './option-text.ts'
import { optionAt } from './problems.ts'
import { RelationInputs } from './relation-inputs.tsx'
import { SchemaProblems } from './schema-problems.tsx'

/** The inputs of a field: those common to all types, and the options of its type. */
export function FieldForm(props: FieldFormProps) {
  const { model, owner, earlier, input, onChange, problems } = props
  const { attribute, name } = input
  const change = (next: FileAttribute) => onChange({ ...input, attribute: next })
  const set = (option: string, value: unknown) =>
    change(value === undefined ? without(attribute, option) : { ...attribute, [option]: value })
  return (
    <div className={classes.form}>
      <SchemaProblems problems={problems} subjectOf={optionOf} />
      <FieldName
        {...{ model, owner, earlier, name, attribute, problem: props.nameProblem }}
        onChange={(next) => onChange({ ...input, name: next })}
      />
      <TypeInput model={model} attribute={attribute} onChange={change} />
      <RelationInputs {...props} />
      <TypeOptions model={model} owner={owner} attribute={attribute} onSet={set} />
      <TextArea
        label={optionName('description')}
        help={optionHelp('description')}
        value={String(attribute.description ?? '')}
        onChange={(text) => set('description', text === '' ? undefined : text)}
      />
      <Checkbox
        isSelected={attribute.required === true}
        onChange={(isOn) => set('required', isOn || undefined)}
      >
        {optionName('required')}
      </Checkbox>
      {isOfLocalizedType(owner) && (
        <Checkbox
          isSelected={isLocalized(attribute)}
          onChange={(isOn) => change(withLocalized(attribute, isOn))}
        >
          {t('model.localizedField')}
        </Checkbox>
      )}
      <ConditionInputs
        owner={owner}
        own={name}
        condition={conditionOf(attribute)}
        onChange={(condition) => set('condition', condition)}
      />
      <JsonOption
        key={String(isLocalized(attribute))}
        label={optionName('pluginOptions')}
        help={optionHelp('pluginOptions')}
        value={attribute.pluginOptions}
        onChange={(value) => set('pluginOptions', value)}
      />
    </div>
  )
}

function isOfLocalizedType({ content }: Owner): boolean {
  return (content?.options?.i18n as { enabled?: unknown } | undefined)?.enabled === true
}

interface TypeInputProps {
  readonly model: Model
  readonly attribute: FileAttribute
  readonly onChange: (attribute: FileAttribute) => void
}

/** A choice of the field type; options that the new type also has are kept. */
function TypeInput({ model: { stored }, attribute, onChange }: TypeInputProps) {
  const chosen = stored.fieldTypes.find(({ name }) => name === attribute.type)
  function choose(type: string) {
    const schema = stored.fieldTypes.find(({ name }) => name === type)?.schema
    const kept = Object.entries(attribute).filter(
      ([option]) => option !== 'default' && Object.hasOwn(schema?.properties ?? {}, option),
    )
    onChange({ ...Object.fromEntries(kept), type })
  }
  return (
    <Select
      label={t('model.type')}
      isRequired
      help={typeHelp(attribute.type, chosen?.description)}
      value={attribute.type}
      options={stored.fieldTypes.map(({ name }) => ({ value: name, label: typeName(name) }))}
      onChange={choose}
    />
  )
}

function optionOf(pointer: string): string {
  const option = optionAt(pointer)
  return option === undefined ? '' : `${optionName(option)}:`
}

/** Options with inputs of their own. */
const handled: ReadonlySet<string> = new Set([
  ...['type', 'description', 'required', 'condition', 'renamedFrom', 'pluginOptions'],
  ...['relation', 'target', 'mappedBy', 'inversedBy', 'onDelete'],
])

interface TypeOptionsProps {
  readonly model: Model
  readonly owner: Owner
  readonly attribute: FileAttribute
  readonly onSet: (option: string, value: unknown) => void
}

/** The options of a field type as described by the service, including those of plugin types. */
function TypeOptions({ model, owner, attribute, onSet }: TypeOptionsProps) {
  const { schema } = model.stored.fieldTypes.find(({ name }) => name === attribute.type) ?? {}
  const isPossible = (option: string) => owner.kind === 'type' || option !== 'unique'
  return Object.entries(schema?.properties ?? {})
    .filter(([option]) => !handled.has(option) && isPossible(option))
    .map(([option, optionSchema]) => (
      <OptionInput
        key={`${attribute.type} ${option}`}
        option={option}
        schema={optionSchema}
        value={attribute[option]}
        isRequired={schema?.required?.includes(option) ?? false}
        components={model.components.map(({ name }) => name)}
        onChange={(value) => onSet(option, value)}
      />
    ))
}
