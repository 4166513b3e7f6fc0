import { useMutation } from '@tanstack/react-query'
import { type ErrorDetail, MortiseError } from '../../../../../../client/client.ts'
import type { PanelSetting, SettingsAccess } from '../../../panel-api/panel-api.ts'
import { errorText } from '../../ground/i18n/problem-text.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Button } from '../../ground/kit/button/button.tsx'
import { FormProblem } from '../../ground/kit/form/form.tsx'
import { useForm } from '../../ground/kit/form/use-form.ts'
import { toast } from '../../ground/kit/toast/toast.tsx'
import { SettingInput } from './setting-input.tsx'
import { enteredValue, type Typed, typedOf } from './setting-text.ts'
import classes from './settings.module.css'

interface SettingsFormProps extends Pick<SettingsAccess, 'isReadOnly' | 'save'> {
  readonly settings: readonly PanelSetting[]
}

type TypedSettings = Readonly<Record<string, Typed>>

/** A form for the settings of a category: only changed ones are sent. */
export function SettingsForm({ settings, isReadOnly, save }: SettingsFormProps) {
  const onDone = () => toast('success', t('settings.saved'))
  const form = useForm({
    initial: Object.fromEntries(settings.map((setting) => [setting.key, typedOf(setting, setting.value)])),
    send: async (_, changed) => save(valuesOf(settings, changed as TypedSettings)),
    onDone,
  })
  const reset = useMutation({
    mutationFn: (key: string) => save({ [key]: null }),
    onSuccess() {
      form.discard()
      onDone()
    },
    onError: (error) => toast('danger', errorText(error)),
  })
  return (
    <form className={classes.form} onSubmit={form.submit} noValidate>
      {settings.map((setting) => (
        <div key={setting.key} className={classes.setting}>
          <SettingInput
            setting={setting}
            typed={form.values[setting.key] ?? ''}
            problem={form.problemOf(setting.key)}
            isDisabled={isReadOnly || setting.locked}
            onChange={(typed) => form.set(setting.key, typed)}
          />
          {setting.source === 'database' && !setting.locked && !isReadOnly && (
            <Button size="s" look="plain" icon="rotate-ccw" onPress={() => reset.mutate(setting.key)}>
              {t('settings.reset', { label: setting.label })}
            </Button>
          )}
        </div>
      ))}
      <FormProblem text={form.failure} />
      {!isReadOnly && settings.some(({ locked }) => !locked) && (
        <div>
          <Button type="submit" look="primary" isPending={form.isPending} isDisabled={!form.isChanged}>
            {t('settings.save')}
          </Button>
        </div>
      )}
    </form>
  )
}

/** The values to send. @throws MortiseError in the service's format, for input that cannot be parsed */
function valuesOf(settings: readonly PanelSetting[], typed: TypedSettings) {
  const values: Record<string, unknown> = {}
  const details: ErrorDetail[] = []
  for (const setting of settings) {
    const text = typed[setting.key]
    if (text === undefined) continue
    try {
      values[setting.key] = enteredValue(setting, text)
    } catch (error) {
      details.push({ path: setting.key, code: 'syntax', message: errorText(error) })
    }
  }
  if (details.length > 0)
    throw new MortiseError(t('problem.invalid'), { code: 'VALIDATION_ERROR', status: 400, details })
  return values
}
