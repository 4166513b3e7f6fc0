import type { AdminUser, InvitedUser } from '../../../../../../../client/admin.ts'
import { useAccess } from '../../../ground/access/access.ts'
import { admin } from '../../../ground/api/admin.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Select } from '../../../ground/kit/field/select.tsx'
import { TextField } from '../../../ground/kit/field/text-field.tsx'
import { FormDialog } from '../../../ground/kit/form/form-dialog.tsx'
import { useForm } from '../../../ground/kit/form/use-form.ts'
import { toast } from '../../../ground/kit/toast/toast.tsx'
import { accountProblems } from '../account-problems.ts'
import { useRoleOptions } from '../role-options.ts'
import { resource } from './admin-list.tsx'

interface AdminDialogProps {
  readonly edited: AdminUser | 'new'
  readonly onInvited: (user: InvitedUser) => void
  readonly onClose: () => void
}

const nobody = { email: '', username: '', role: 'editor' }

/**
 * Invites or edits an admin user. Only changed values are sent, since changing the email address or role needs more permissions.
 */
export function AdminDialog({ edited, onInvited, onClose }: AdminDialogProps) {
  const isNew = edited === 'new'
  const form = useForm({
    initial: isNew ? nobody : personOf(edited),
    async send(person, changed) {
      if (isNew) onInvited(await admin.accounts.invite(person))
      else await admin.accounts.update(edited.id, changed)
    },
    refreshes: [resource.key],
    onDone(_, { username }) {
      if (!isNew) toast('success', t('people.saved', { name: username }))
      onClose()
    },
    problemTexts: accountProblems,
  })
  const isOwn = useAccess().user.id === (isNew ? undefined : edited.id)
  const roles = useRoleOptions('admin', form.values.role)
  const textInput = (name: 'email' | 'username') => ({
    ...form.input(name),
    isRequired: true,
    autoComplete: 'off',
  })
  return (
    <FormDialog
      form={form}
      title={isNew ? t('people.admins.inviteTitle') : t('people.changeTitle', { name: edited.username })}
      action={isNew ? t('people.admins.send') : t('people.save')}
      onClose={onClose}
    >
      <TextField label={t('people.email')} type="email" autoFocus {...textInput('email')} />
      <TextField label={t('people.username')} help={t('people.usernameHelp')} {...textInput('username')} />
      <Select
        label={t('people.role')}
        options={roles}
        isDisabled={isOwn}
        help={isOwn ? t('people.admins.ownRole') : t('people.admins.roleHelp')}
        {...form.input('role')}
      />
    </FormDialog>
  )
}

const personOf = ({ email, username, role }: AdminUser) => ({ email, username, role })
