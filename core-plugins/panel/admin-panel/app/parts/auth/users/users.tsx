import { useState } from 'react'
import { useAccess } from '../../../ground/access/access.ts'
import { api } from '../../../ground/api/client.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Badge } from '../../../ground/kit/badge/badge.tsx'
import { Button } from '../../../ground/kit/button/button.tsx'
import { Page } from '../../../ground/kit/page/page.tsx'
import { Data, Facts, Moment } from '../../../ground/kit/resource-list/facts.tsx'
import type { ResourceColumn, RowAction } from '../../../ground/kit/resource-list/resource.ts'
import { ResourceList } from '../../../ground/kit/resource-list/resource-list.tsx'
import { accountColumns, accountFilters, blockAction, deleteAction } from '../accounts.tsx'
import { useRoleOptions } from '../role-options.ts'
import { type ContentUser, resource } from './content-user.ts'
import { UserDialog } from './user-dialog.tsx'

/** The content users, who sign in to the website. */
export default function UsersScreen() {
  const mayWrite = useAccess().mayArea('users', 'write')
  const [edited, edit] = useState<ContentUser | 'new'>()
  const roles = useRoleOptions('user')
  return (
    <Page
      title={t('people.users.title')}
      actions={
        mayWrite && (
          <Button look="primary" icon="user-plus" onPress={() => edit('new')}>
            {t('people.users.add')}
          </Button>
        )
      }
    >
      <ResourceList<ContentUser>
        label={t('people.users.title')}
        resource={resource}
        columns={columns()}
        filters={accountFilters(roles)}
        nameOf={({ username }) => username}
        detailOf={(user) => <UserDetail user={user} />}
        empty={{ icon: 'users', title: t('people.users.empty'), text: t('people.users.emptyText') }}
        {...(mayWrite ? { actionsOf: (user: ContentUser) => actionsOf(user, edit) } : {})}
      />
      {edited !== undefined && <UserDialog edited={edited} onClose={() => edit(undefined)} />}
    </Page>
  )
}

const columns = (): readonly ResourceColumn<ContentUser>[] => [
  ...accountColumns<ContentUser>(),
  { id: 'state', label: t('people.state'), cell: (user) => <State user={user} /> },
]

function State({ user }: { readonly user: ContentUser }) {
  return user.blocked ? <Badge tone="danger">{t('people.blocked')}</Badge> : t('people.active')
}

function UserDetail({ user }: { readonly user: ContentUser }) {
  const { id, email, username, role, blocked, created_at, updated_at, ...attributes } = user
  return (
    <>
      <Facts
        facts={[
          [t('people.email'), email],
          [t('people.role'), role],
          [t('people.state'), <State key="state" user={user} />],
          [t('people.since'), <Moment key="since" at={created_at} />],
          [t('people.changed'), <Moment key="changed" at={updated_at} />],
        ]}
      />
      {Object.keys(attributes).length > 0 && <Data label={t('people.users.attributes')} value={attributes} />}
    </>
  )
}

function actionsOf(user: ContentUser, edit: (user: ContentUser) => void): readonly RowAction[] {
  const path = `${resource.path}/${user.id}`
  return [
    { id: 'change', label: t('people.change'), icon: 'pencil', run: () => edit(user) },
    blockAction(user, (blocked) => api.send('PUT', path, { body: { blocked } })),
    deleteAction(user, () => api.send('DELETE', path)),
  ]
}
