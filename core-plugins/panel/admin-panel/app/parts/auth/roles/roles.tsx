import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Role } from '../../../../../../../client/admin.ts'
import { useAccess } from '../../../ground/access/access.ts'
import { admin } from '../../../ground/api/admin.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Badge } from '../../../ground/kit/badge/badge.tsx'
import { Button } from '../../../ground/kit/button/button.tsx'
import { Page } from '../../../ground/kit/page/page.tsx'
import type { ResourceColumn, RowAction } from '../../../ground/kit/resource-list/resource.ts'
import { ResourceList } from '../../../ground/kit/resource-list/resource-list.tsx'
import { rolesKey } from '../role-options.ts'
import { RoleDialog } from './role-dialog.tsx'

const resource = { key: rolesKey, path: '/admin/roles' }
const pathOf = ({ id }: Role) => `/people/roles/${id}`

/** The roles and the numbers of their accounts. */
export default function RolesScreen() {
  const mayWrite = useAccess().mayArea('roles', 'write')
  const [isAdding, setAdding] = useState(false)
  const [, go] = useLocation()
  return (
    <Page
      title={t('people.roles.title')}
      actions={
        mayWrite && (
          <Button look="primary" icon="plus" onPress={() => setAdding(true)}>
            {t('people.roles.add')}
          </Button>
        )
      }
    >
      <ResourceList<Role>
        label={t('people.roles.title')}
        resource={resource}
        columns={columns()}
        nameOf={({ name }) => name}
        hrefOf={pathOf}
        empty={{ icon: 'shield', title: t('people.roles.title') }}
        {...(mayWrite ? { actionsOf } : {})}
      />
      {isAdding && <RoleDialog onMade={(role) => go(pathOf(role))} onClose={() => setAdding(false)} />}
    </Page>
  )
}

const columns = (): readonly ResourceColumn<Role>[] => [
  { id: 'name', label: t('people.roles.name'), cell: ({ name }) => name },
  {
    id: 'description',
    label: t('people.roles.description'),
    cell: ({ description }) => description,
    isSecondary: true,
  },
  {
    id: 'type',
    label: t('people.roles.kind'),
    cell: ({ type }) =>
      type === 'custom' ? t('people.roles.custom') : <Badge>{t('people.roles.builtIn')}</Badge>,
  },
  { id: 'holders', label: t('people.roles.holders'), cell: holdersText },
]

/** How many admin users and content users have a role. */
function holdersText({ holders: { admin_users: admins, content_users: users } }: Role): string {
  const parts = [
    admins > 0 ? t('people.roles.adminHolders', { count: admins }) : '',
    users > 0 ? t('people.roles.userHolders', { count: users }) : '',
  ]
  return parts.filter((part) => part !== '').join(', ') || t('people.roles.nobody')
}

function actionsOf(role: Role): readonly RowAction[] {
  const { admin_users: admins, content_users: users } = role.holders
  if (role.type !== 'custom' || admins + users > 0) return []
  const { id, name } = role
  return [
    {
      id: 'delete',
      label: t('people.delete'),
      icon: 'trash-2',
      isDangerous: true,
      confirm: {
        title: t('people.roles.deleteTitle', { name }),
        text: t('people.roles.deleteText'),
        action: t('people.delete'),
      },
      done: t('people.deleted', { name }),
      run: () => admin.roles.delete(id),
    },
  ]
}
