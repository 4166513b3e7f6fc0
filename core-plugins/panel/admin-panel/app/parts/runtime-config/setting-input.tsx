import { useId } from 'react'
import type { PanelSetting } from '../../../panel-api/panel-api.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Checkbox } from '../../ground/kit/checkbox/checkbox.tsx'
import fieldClasses from '../../ground/kit/field/field.module.css'
import { Select } from '../../ground/kit/field/select.tsx'
import { NumberField, TextArea, TextField } from '../../ground/kit/field/text-field.tsx'
import type { Typed } from './setting-text.ts'
import classes from './settings.module.css'

export interface SettingInputProps {
  readonly setting: PanelSetting
  readonly typed: Typed
  readonly onChange: (typed: Typed) => void
  readonly problem: string | undefined
  readonly isDisabled: boolean
}

/** An input for a setting by its type, with the source of the value. */
export function SettingInput(props: SettingInputProps) {
  const { setting, typed, onChange, problem, isDisabled } = props
  if (typeof typed === 'boolean') return <Flag {...props} />
  const frame = { label: setting.label, help: <Help setting={setting} />, problem, value: typed, onChange }
  if (setting.type === 'string' && setting.enum !== undefined) {
    const options = setting.enum.map((value) => ({ value, label: value }))
    return (
      <Select
        {...frame}
        isDisabled={isDisabled}
        options={options}
        {...(setting.enum.includes(typed) ? {} : { placeholder: t('kit.choose') })}
      />
    )
  }
  if (setting.type === 'integer' || setting.type === 'number') {
    return <NumberField {...frame} isInteger={setting.type === 'integer'} isDisabled={isDisabled} />
  }
  if (setting.type === 'string') return <TextField {...frame} isDisabled={isDisabled} />
  return <TextArea {...frame} isDisabled={isDisabled} />
}

function Flag({ setting, typed, onChange, problem, isDisabled }: SettingInputProps) {
  const id = useId()
  return (
    <div className={fieldClasses.field}>
      <Checkbox isSelected={typed === true} isDisabled={isDisabled} onChange={onChange} describedBy={id}>
        {setting.label}
      </Checkbox>
      <div id={id} className={fieldClasses.help}>
        {problem !== undefined && <p className={fieldClasses.problem}>{problem}</p>}
        <Help setting={setting} />
      </div>
    </div>
  )
}

/** The setting's purpose, allowed values, and why it cannot be changed here. */
function Help({ setting }: { readonly setting: PanelSetting }) {
  const { description, type, locked, source, envVar } = setting
  const lock = t(source === 'env' ? 'settings.setBy' : 'settings.fixed', { variable: envVar })
  return (
    <>
      {[description, boundsOf(setting), type === 'string[]' ? t('settings.oneALine') : '']
        .filter((text) => text !== '')
        .join(' · ')}
      {locked && <span className={classes.lock}>{lock}</span>}
    </>
  )
}

function boundsOf({ min, max }: PanelSetting): string {
  return [min === undefined ? '' : `≥ ${min}`, max === undefined ? '' : `≤ ${max}`].filter(Boolean).join(', ')
}
