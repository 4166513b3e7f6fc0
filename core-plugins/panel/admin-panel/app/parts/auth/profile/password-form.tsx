import { admin } from '../../../ground/api/admin.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { TextField } from '../../../ground/kit/field/text-field.tsx'
import { Form } from '../../../ground/kit/form/form.tsx'
import { useForm } from '../../../ground/kit/form/use-form.ts'
import { toast } from '../../../ground/kit/toast/toast.tsx'
import { session } from '../../../ground/session/session.ts'
import { accountProblems } from '../account-problems.ts'
import classes from './profile.module.css'
import { profileKey } from './profile-key.ts'

const initial = { currentPassword: '', newPassword: '' }

/** Changes the password; all other sessions are ended. */
export function PasswordForm({ username }: { readonly username: string }) {
  const form = useForm({
    initial,
    send: async ({ currentPassword, newPassword }) =>
      session.open(await admin.accounts.changePassword(currentPassword, newPassword)),
    refreshes: [profileKey],
    onDone: () => toast('success', t('profile.passwordSaved')),
    problemTexts: accountProblems,
  })
  const { values, input } = form
  const isReady = values.currentPassword !== '' && values.newPassword !== ''
  return (
    <section className={classes.section}>
      <h2>{t('people.password')}</h2>
      <Form form={form} action={t('profile.changePassword')} isReady={isReady}>
        {/* For password managers, which store passwords by username. */}
        <input type="text" autoComplete="username" value={username} readOnly hidden />
        <TextField
          label={t('profile.currentPassword')}
          type="password"
          autoComplete="current-password"
          {...input('currentPassword')}
          isRequired
        />
        <TextField
          label={t('people.newPassword')}
          help={t('profile.passwordHelp')}
          type="password"
          autoComplete="new-password"
          {...input('newPassword')}
          isRequired
        />
      </Form>
    </section>
  )
}
