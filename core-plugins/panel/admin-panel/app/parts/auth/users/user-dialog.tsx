import { api } from '../../../ground/api/client.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Select } from '../../../ground/kit/field/select.tsx'
import { TextField } from '../../../ground/kit/field/text-field.tsx'
import { FormDialog } from '../../../ground/kit/form/form-dialog.tsx'
import { useForm } from '../../../ground/kit/form/use-form.ts'
import { toast } from '../../../ground/kit/toast/toast.tsx'
import { accountProblems } from '../account-problems.ts'
import { useRoleOptions } from '../role-options.ts'
import { type ContentUser, resource } from './content-user.ts'

interface UserDialogProps {
  readonly edited: ContentUser | 'new'
  readonly onClose: () => void
}

/** Creates or edits a content user. */
export function UserDialog({ edited, onClose }: UserDialogProps) {
  const isNew = edited === 'new'
  const form = useForm({
    initial: valuesOf(edited),
    send: (values, changed) =>
      isNew
        ? api.send('POST', resource.path, { body: values })
        : api.send('PUT', `${resource.path}/${edited.id}`, { body: changed }),
    refreshes: [resource.key],
    onDone(_, { username }) {
      toast('success', t('people.saved', { name: username }))
      onClose()
    },
    problemTexts: accountProblems,
  })
  const roles = useRoleOptions('user', form.values.role)
  const textInput = (name: 'email' | 'username' | 'password') => ({
    ...form.input(name),
    isRequired: isNew || name !== 'password',
  })
  return (
    <FormDialog
      form={form}
      title={isNew ? t('people.users.addTitle') : t('people.changeTitle', { name: edited.username })}
      action={t('people.save')}
      onClose={onClose}
    >
      <TextField
        label={t('people.email')}
        type="email"
        autoComplete="off"
        autoFocus
        {...textInput('email')}
      />
      <TextField
        label={t('people.username')}
        help={t('people.usernameHelp')}
        autoComplete="off"
        {...textInput('username')}
      />
      <TextField
        label={isNew ? t('people.password') : t('people.newPassword')}
        type="password"
        autoComplete="new-password"
        help={isNew ? undefined : t('people.users.passwordHelp')}
        {...textInput('password')}
      />
      <Select label={t('people.role')} options={roles} {...form.input('role')} />
    </FormDialog>
  )
}

/** If no password is entered, the present one stays. */
function valuesOf(edited: UserDialogProps['edited']) {
  const { email, username, role } =
    edited === 'new' ? { email: '', username: '', role: 'authenticated' } : edited
  return { email, username, role, password: '' }
}
