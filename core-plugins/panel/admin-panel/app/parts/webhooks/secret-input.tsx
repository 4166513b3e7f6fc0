import { t } from '../../ground/i18n/translate.ts'
import { Button } from '../../ground/kit/button/button.tsx'
import { TextField } from '../../ground/kit/field/text-field.tsx'
import { toast } from '../../ground/kit/toast/toast.tsx'
import classes from './webhook.module.css'

interface SecretInputProps {
  readonly value: string
  /** Whether a secret exists, which stays unless a new one is entered. */
  readonly isKept: boolean
  readonly onChange: (value: string) => void
  readonly problem: string | undefined
}

const secretBytes = 32

/** The signing secret: typed or generated here, to be copied before it is saved. */
export function SecretInput({ value, isKept, onChange, problem }: SecretInputProps) {
  return (
    <div>
      <TextField
        label={t('operations.webhooks.secret')}
        help={
          isKept && value === '' ? t('operations.webhooks.secretKept') : t('operations.webhooks.secretHelp')
        }
        value={value}
        onChange={onChange}
        problem={problem}
        autoComplete="off"
        maxLength={1000}
      />
      <div className={classes.secret}>
        <Button size="s" icon="key-round" onPress={() => onChange(newSecret())}>
          {t('operations.webhooks.makeSecret')}
        </Button>
        {value !== '' && (
          <Button size="s" icon="copy" onPress={() => void copy(value)}>
            {t('operations.webhooks.copySecret')}
          </Button>
        )}
      </div>
    </div>
  )
}

const newSecret = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(secretBytes)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')

async function copy(secret: string) {
  try {
    await navigator.clipboard.writeText(secret)
    toast('success', t('operations.webhooks.copied'))
  } catch {
    toast('danger', t('operations.webhooks.copyFailed'))
  }
}
