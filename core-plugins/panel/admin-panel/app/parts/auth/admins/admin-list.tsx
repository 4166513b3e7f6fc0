import type { AdminUser, InvitedUser } from '../../../../../../../client/admin.ts'
import { type Access, useAccess } from '../../../ground/access/access.ts'
import { admin } from '../../../ground/api/admin.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Badge } from '../../../ground/kit/badge/badge.tsx'
import { Facts, Moment } from '../../../ground/kit/resource-list/facts.tsx'
import type { ResourceColumn, RowAction } from '../../../ground/kit/resource-list/resource.ts'
import { ResourceList } from '../../../ground/kit/resource-list/resource-list.tsx'
import { accountColumns, accountFilters, blockAction, deleteAction } from '../accounts.tsx'
import { isReserved, useRoleOptions } from '../role-options.ts'

export const resource = { key: 'admin-users', path: '/admin/users', hasItems: true }

interface AdminListProps {
  readonly onEdit: (user: AdminUser) => void
  readonly onInvited: (user: InvitedUser) => void
}

/** The list of admin users, with the actions that the user may take on each. */
export function AdminList({ onEdit, onInvited }: AdminListProps) {
  const access = useAccess()
  const roles = useRoleOptions('admin')
  return (
    <ResourceList<AdminUser>
      label={t('people.admins.title')}
      resource={resource}
      columns={columns()}
      filters={accountFilters(roles)}
      nameOf={({ username }) => username}
      detailOf={(user) => <AdminDetail user={user} />}
      actionsOf={(user) => actionsOf(user, access, { onEdit, onInvited })}
      empty={{ icon: 'users', title: t('people.admins.title') }}
    />
  )
}

const columns = (): readonly ResourceColumn<AdminUser>[] => [
  ...accountColumns<AdminUser>(),
  { id: 'state', label: t('people.state'), cell: (user) => <State user={user} /> },
]

function State({ user: { blocked, invited } }: { readonly user: AdminUser }) {
  if (blocked) return <Badge tone="danger">{t('people.blocked')}</Badge>
  return invited ? <Badge tone="warning">{t('people.admins.isInvited')}</Badge> : t('people.active')
}

function AdminDetail({ user }: { readonly user: AdminUser }) {
  return (
    <Facts
      facts={[
        [t('people.email'), user.email],
        [t('people.role'), user.role],
        [t('people.state'), <State key="state" user={user} />],
        [t('people.since'), <Moment key="since" at={user.created_at} />],
        [t('people.changed'), <Moment key="changed" at={user.updated_at} />],
      ]}
    />
  )
}

/** Hides actions that the service would refuse. */
function actionsOf(
  user: AdminUser,
  { isSuperAdmin, mayArea, user: me }: Access,
  { onEdit, onInvited }: AdminListProps,
): readonly RowAction[] {
  if (!mayArea('users', 'write') || (isReserved(user.role) && !isSuperAdmin)) return []
  const change = { id: 'change', label: t('people.change'), icon: 'pencil', run: () => onEdit(user) }
  if (user.id === me.id) return [change]
  const invite: RowAction = {
    id: 'invite',
    label: t('people.admins.inviteAgain'),
    icon: 'mail',
    run: async () => onInvited(await admin.accounts.inviteAgain(user.id)),
  }
  return [
    change,
    ...(user.invited && !user.blocked && isSuperAdmin ? [invite] : []),
    blockAction(user, (blocked) => admin.accounts.update(user.id, { blocked })),
    deleteAction(user, () => admin.accounts.delete(user.id)),
  ]
}
