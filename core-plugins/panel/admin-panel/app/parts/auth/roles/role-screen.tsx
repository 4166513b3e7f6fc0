import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'wouter'
import type { Role } from '../../../../../../../client/admin.ts'
import { useAccess } from '../../../ground/access/access.ts'
import { errorText } from '../../../ground/i18n/problem-text.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Badge } from '../../../ground/kit/badge/badge.tsx'
import { Button } from '../../../ground/kit/button/button.tsx'
import { EmptyState } from '../../../ground/kit/empty-state/empty-state.tsx'
import { Link } from '../../../ground/kit/link/link.tsx'
import { Skeleton } from '../../../ground/kit/loading/loading.tsx'
import { Page } from '../../../ground/kit/page/page.tsx'
import { NotFoundPage } from '../../../shell/refusal-pages.tsx'
import { roleList } from '../role-options.ts'
import { RoleDialog } from './role-dialog.tsx'
import { RoleMatrix } from './role-matrix.tsx'
import classes from './roles.module.css'

/** A role and its permissions. */
export default function RoleScreen() {
  const { id = '' } = useParams<{ id: string }>()
  const { data, error } = useQuery(roleList)
  const role = data?.find((each) => String(each.id) === id)
  if (data !== undefined && role === undefined) return <NotFoundPage />
  if (role !== undefined) return <ShownRole role={role} />
  return (
    <Page title={t('people.roles.title')} back={back()}>
      {error === null ? (
        <Skeleton lines={8} />
      ) : (
        <EmptyState icon="triangle-alert" title={errorText(error)} />
      )}
    </Page>
  )
}

const back = () => ({ to: '/people/roles', label: t('people.roles.title') })

function ShownRole({ role }: { readonly role: Role }) {
  const { mayArea, isSuperAdmin } = useAccess()
  const [isNaming, setNaming] = useState(false)
  const mayChange =
    mayArea('roles', 'write') && role.name !== 'super-admin' && (role.name !== 'admin' || isSuperAdmin)
  return (
    <Page
      title={role.name}
      back={back()}
      aside={role.type === 'built-in' && <Badge>{t('people.roles.builtIn')}</Badge>}
      actions={
        mayChange && (
          <Button icon="pencil" onPress={() => setNaming(true)}>
            {t('people.change')}
          </Button>
        )
      }
    >
      <div className={classes.about}>
        {role.description !== '' && <p>{role.description}</p>}
        <Holders role={role} />
        <p>{t(areasOf(role.name))}</p>
        {!mayChange && (
          <p>{t(role.name === 'super-admin' ? 'people.roles.fixed' : 'people.roles.readOnly')}</p>
        )}
      </div>
      <RoleMatrix key={role.updated_at} role={role} isReadOnly={!mayChange} />
      {isNaming && <RoleDialog role={role} onClose={() => setNaming(false)} />}
    </Page>
  )
}

/** The areas of administration that come with a built-in role; they are not among its permissions. */
function areasOf(name: string) {
  if (name === 'super-admin') return 'people.roles.allAreas'
  return name === 'admin' ? 'people.roles.mostAreas' : 'people.roles.noAreas'
}

/** The number of accounts with the role. */
function Holders({ role: { name, holders } }: { readonly role: Role }) {
  const { admin_users: admins, content_users: users } = holders
  const query = `?role=${encodeURIComponent(name)}`
  if (admins + users === 0) return <p>{t('people.roles.unused')}</p>
  return (
    <ul className={classes.holders}>
      {admins > 0 && (
        <li>
          <Link to={`/people/admins${query}`}>{t('people.roles.adminHolders', { count: admins })}</Link>
        </li>
      )}
      {users > 0 && (
        <li>
          <Link to={`/people/users${query}`}>{t('people.roles.userHolders', { count: users })}</Link>
        </li>
      )}
    </ul>
  )
}
