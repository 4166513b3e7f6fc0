import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { MortiseError } from '../../../../client/client.ts'
import type { PanelSetting, SettingsAccess } from '../../panel-api/panel-api.ts'
import { errorText } from '../i18n/problem-text.ts'
import { t } from '../i18n/translate.ts'
import { Button } from '../kit/button/button.tsx'
import { toast } from '../kit/toast/toast.tsx'
import { SettingInput } from './setting-input.tsx'
import { enteredValue, type Typed, typedOf } from './setting-text.ts'
import classes from './settings.module.css'

type Entered = Readonly<Record<string, Typed>>
type Problems = Readonly<Record<string, string>>

interface SettingsFormProps extends Pick<SettingsAccess, 'isReadOnly' | 'save'> {
  readonly settings: readonly PanelSetting[]
}

/** The settings of a category as a form: only what somebody has changed is sent. */
export function SettingsForm({ settings, isReadOnly, save }: SettingsFormProps) {
  const [entered, setEntered] = useState<Entered>({})
  const [unreadable, setUnreadable] = useState<Problems>({})
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: save,
    onSuccess() {
      setEntered({})
      toast('success', t('settings.saved'))
    },
  })
  const problems = { ...problemsOf(error), ...unreadable }
  const rest = error === null || Object.keys(problemsOf(error)).length > 0 ? undefined : error.message

  function enter(key: string, typed: Typed) {
    reset()
    setUnreadable({})
    setEntered({ ...entered, [key]: typed })
  }

  function send(event: FormEvent) {
    event.preventDefault()
    const { values, problems: wrong } = valuesOf(settings, entered)
    setUnreadable(wrong)
    if (Object.keys(wrong).length === 0) mutate(values)
  }

  return (
    <form className={classes.form} onSubmit={send}>
      {settings.map((setting) => (
        <div key={setting.key} className={classes.setting}>
          <SettingInput
            setting={setting}
            typed={entered[setting.key] ?? typedOf(setting, setting.value)}
            problem={problems[setting.key]}
            isDisabled={isReadOnly || setting.locked}
            onChange={(typed) => enter(setting.key, typed)}
          />
          {setting.source === 'database' && !setting.locked && !isReadOnly && (
            <Button size="s" look="plain" icon="rotate-ccw" onPress={() => mutate({ [setting.key]: null })}>
              {t('settings.reset', { label: setting.label })}
            </Button>
          )}
        </div>
      ))}
      {rest !== undefined && <p role="alert">{rest}</p>}
      {!isReadOnly && settings.some(({ locked }) => !locked) && (
        <div>
          <Button
            type="submit"
            look="primary"
            isPending={isPending}
            isDisabled={Object.keys(entered).length === 0}
          >
            {t('settings.save')}
          </Button>
        </div>
      )}
    </form>
  )
}

function valuesOf(settings: readonly PanelSetting[], entered: Entered) {
  const values: Record<string, unknown> = {}
  const problems: Record<string, string> = {}
  for (const setting of settings) {
    const typed = entered[setting.key]
    if (typed === undefined) continue
    try {
      values[setting.key] = enteredValue(setting, typed)
    } catch (error) {
      problems[setting.key] = errorText(error)
    }
  }
  return { values, problems }
}

/** The service names settings by their keys. */
function problemsOf(error: unknown): Problems {
  const details = error instanceof MortiseError ? error.details : []
  return Object.fromEntries(details.map(({ path, message }) => [path, message]))
}
