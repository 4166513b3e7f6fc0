import type { AdminUser } from '../../../../../../../client/admin.ts'
import { admin } from '../../../ground/api/admin.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { TextField } from '../../../ground/kit/field/text-field.tsx'
import { Form } from '../../../ground/kit/form/form.tsx'
import { useForm } from '../../../ground/kit/form/use-form.ts'
import { toast } from '../../../ground/kit/toast/toast.tsx'
import { accountProblems } from '../account-problems.ts'
import classes from './profile.module.css'
import { profileKey } from './profile-key.ts'

/** Edits name and email address. A new address requires the password, since password reset links are mailed to it. */
export function NamesForm({ me }: { readonly me: AdminUser }) {
  const form = useForm({
    initial: { username: me.username, email: me.email, currentPassword: '' },
    send: ({ username, email, currentPassword }) =>
      admin.accounts.updateMe({ username, ...(email === me.email ? {} : { email, currentPassword }) }),
    refreshes: [profileKey, 'panel'],
    onDone: () => toast('success', t('profile.saved')),
    problemTexts: accountProblems,
  })
  const { values, input } = form
  return (
    <section className={classes.section}>
      <h2>{t('profile.names')}</h2>
      <Form form={form} action={t('people.save')}>
        <TextField
          label={t('people.username')}
          help={t('people.usernameHelp')}
          autoComplete="username"
          {...input('username')}
          isRequired
        />
        <TextField
          label={t('people.email')}
          type="email"
          autoComplete="email"
          {...input('email')}
          isRequired
        />
        {values.email !== me.email && (
          <TextField
            label={t('profile.confirm')}
            help={t('profile.confirmHelp')}
            type="password"
            autoComplete="current-password"
            {...input('currentPassword')}
            isRequired
          />
        )}
      </Form>
    </section>
  )
}
