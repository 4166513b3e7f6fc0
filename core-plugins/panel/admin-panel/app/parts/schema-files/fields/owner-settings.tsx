import { useState } from 'react'
import type { OptionSchema } from '../../../../../../../client/admin.ts'
import { isSameValue } from '../../../content/schema/same-value.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Button } from '../../../ground/kit/button/button.tsx'
import { Checkbox } from '../../../ground/kit/checkbox/checkbox.tsx'
import { Drawer } from '../../../ground/kit/dialog/dialog.tsx'
import { TextField } from '../../../ground/kit/field/text-field.tsx'
import { changeFiles } from '../draft/draft.ts'
import { editOwner } from '../draft/edit-fields.ts'
import { type FileContent, without } from '../draft/file-content.ts'
import type { Owner } from '../owners/owner.ts'
import type { Model } from '../owners/use-model.ts'
import classes from './fields.module.css'
import { JsonOption } from './json-option.tsx'
import { optionHelp, optionName } from './option-text.ts'

interface OwnerSettingsProps {
  readonly model: Model
  readonly owner: Owner
  readonly onClose: () => void
}

/** Edits names and options of a type or component; names fixed by its file cannot be changed. */
export default function OwnerSettings({ model, owner, onClose }: OwnerSettingsProps) {
  const [content, setContent] = useState<FileContent>(owner.content ?? {})
  const schema = model.stored.fileSchemas[owner.kind === 'type' ? 'content-type' : 'component']
  function apply() {
    changeFiles(model.stored, (files) =>
      editOwner(files, owner, (now) => ({ ...content, attributes: now.attributes ?? {} })),
    )
    onClose()
  }
  return (
    <Drawer
      title={t('model.settings')}
      isOpen
      isUnsaved={!isSameValue(content, owner.content ?? {})}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t('kit.cancel')}</Button>
          <Button look="primary" onPress={apply}>
            {t('model.apply')}
          </Button>
        </>
      }
    >
      <div className={classes.form}>
        <Info content={content} schema={schema.properties?.info} onChange={setContent} />
        <Options content={content} schema={schema.properties?.options} onChange={setContent} />
        {(['indexes', 'pluginOptions'] as const)
          .filter((key) => schema.properties?.[key] !== undefined)
          .map((key) => (
            <JsonOption
              key={key}
              label={optionName(key)}
              help={optionHelp(key)}
              value={content[key]}
              onChange={(value) => setContent((before) => put(before, key, value))}
            />
          ))}
      </div>
    </Drawer>
  )
}

interface PartProps {
  readonly content: FileContent
  readonly schema: OptionSchema | undefined
  readonly onChange: (content: FileContent) => void
}

/** The singular name is fixed by the file name. */
function Info({ content, schema, onChange }: PartProps) {
  const { info = {} } = content
  return Object.keys(schema?.properties ?? {})
    .filter((key) => key !== 'singularName')
    .map((key) => (
      <TextField
        key={key}
        label={optionName(key)}
        isRequired={schema?.required?.includes(key) ?? false}
        value={info[key] ?? ''}
        onChange={(text) => onChange({ ...content, info: put(info, key, text === '' ? undefined : text) })}
      />
    ))
}

/** Options: booleans as checkboxes, and the others that can be enabled. */
function Options({ content, schema, onChange }: PartProps) {
  if (schema?.properties === undefined) return null
  const { options = {} } = content
  const set = (key: string, value: unknown) => {
    const next = put(options, key, value)
    onChange(Object.keys(next).length === 0 ? without(content, 'options') : { ...content, options: next })
  }
  return Object.entries(schema.properties).map(([key, each]) => {
    if (each.type === 'boolean') return <Flag key={key} option={key} value={options[key]} onSet={set} />
    if (key === 'i18n') return <Localized key={key} value={options[key]} onSet={set} />
    const help = optionHelp(key, each.description)
    return (
      <JsonOption
        key={key}
        label={optionName(key)}
        help={help}
        value={options[key]}
        onChange={(value) => set(key, value)}
      />
    )
  })
}

interface FlagProps {
  readonly option: string
  readonly value: unknown
  readonly onSet: (option: string, value: unknown) => void
}

/** A boolean option, off by default except for timestamps. */
function Flag({ option, value, onSet }: FlagProps) {
  const standard = option === 'timestamps'
  return (
    <Checkbox
      isSelected={(value ?? standard) === true}
      onChange={(isOn) => onSet(option, isOn === standard ? undefined : isOn)}
    >
      {optionName(option)}
    </Checkbox>
  )
}

/** Localisation of the type; a list of locales in the file is kept. */
function Localized({ value, onSet }: Omit<FlagProps, 'option'>) {
  const i18n = (value ?? {}) as { readonly enabled?: boolean }
  return (
    <Checkbox isSelected={i18n.enabled === true} onChange={(enabled) => onSet('i18n', { ...i18n, enabled })}>
      {optionName('i18n')}
    </Checkbox>
  )
}

function put<Value extends object>(object: Value, key: string, value: unknown): Value {
  return value === undefined ? without(object, key) : { ...object, [key]: value }
}
