import type { Role } from '../../../../../../../client/admin.ts'
import { admin } from '../../../ground/api/admin.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { TextArea, TextField } from '../../../ground/kit/field/text-field.tsx'
import { FormDialog } from '../../../ground/kit/form/form-dialog.tsx'
import { useForm } from '../../../ground/kit/form/use-form.ts'
import { accountProblems } from '../account-problems.ts'
import { rolesKey } from '../role-options.ts'

interface RoleDialogProps {
  /** The role to edit; undefined for a new one. */
  readonly role?: Role
  readonly onMade?: (role: Role) => void
  readonly onClose: () => void
}

/** Edits the name and description of a role. A new role has no permissions. */
export function RoleDialog({ role, onMade, onClose }: RoleDialogProps) {
  const form = useForm({
    initial: { name: role?.name ?? '', description: role?.description ?? '' },
    send: (values) => (role === undefined ? admin.roles.create(values) : admin.roles.update(role.id, values)),
    refreshes: [rolesKey],
    onDone(made) {
      onMade?.(made)
      onClose()
    },
    problemTexts: accountProblems,
  })
  const { input } = form
  return (
    <FormDialog
      form={form}
      title={role === undefined ? t('people.roles.addTitle') : t('people.changeTitle', { name: role.name })}
      action={role === undefined ? t('people.roles.make') : t('people.save')}
      onClose={onClose}
    >
      <TextField
        label={t('people.roles.name')}
        isDisabled={role?.type === 'built-in'}
        {...input('name')}
        maxLength={100}
        isRequired
        autoFocus
      />
      <TextArea label={t('people.roles.description')} {...input('description')} maxLength={1000} />
    </FormDialog>
  )
}
