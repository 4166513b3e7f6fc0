import { type FormEvent, useState } from 'react'
import { api } from '../../ground/api/client.ts'
import { errorText } from '../../ground/i18n/problem-text.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Button } from '../../ground/kit/button/button.tsx'
import { Dialog } from '../../ground/kit/dialog/dialog.tsx'
import { TextField } from '../../ground/kit/field/text-field.tsx'
import { session, signInAddress } from '../../ground/session/session.ts'
import classes from './sign-in-dialog.module.css'

export interface SignInAgainProps {
  readonly name: string
  readonly userId: number | undefined
}

/** A form that asks for the password again. */
export function SignInAgain({ name, userId }: SignInAgainProps) {
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isPending, setPending] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    setPending(true)
    setProblem(undefined)
    try {
      const opened = await api.admins.login(name, password)
      // Another user must not see the first user's unsaved changes.
      if (opened.user.id === userId) session.open(opened)
      else location.assign(signInAddress())
    } catch (error) {
      setProblem(errorText(error))
    } finally {
      setPending(false)
    }
  }

  return (
    <Dialog
      title={t('session.endedTitle')}
      isOpen
      isDismissable={false}
      size="s"
      onClose={() => {}}
      actions={
        <>
          <Button onPress={() => location.assign(signInAddress())}>{t('session.otherAccount')}</Button>
          <Button look="primary" type="submit" form="sign-in-again" isPending={isPending}>
            {t('session.signIn')}
          </Button>
        </>
      }
    >
      <form id="sign-in-again" className={classes.form} onSubmit={submit}>
        <p>{t('session.endedText', { name })}</p>
        <TextField
          label={t('session.password')}
          type="password"
          autoComplete="current-password"
          autoFocus
          isRequired
          value={password}
          onChange={setPassword}
          problem={problem}
        />
      </form>
    </Dialog>
  )
}
