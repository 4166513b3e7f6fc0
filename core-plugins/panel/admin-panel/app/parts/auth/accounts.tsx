import type { Account } from '../../../../../../client/client.ts'
import { t } from '../../ground/i18n/translate.ts'
import type { Option } from '../../ground/kit/field/select.tsx'
import type { ResourceColumn, ResourceFilter, RowAction } from '../../ground/kit/resource-list/resource.ts'
import classes from './accounts.module.css'

/** What admin users and content users have in common. */
interface BlockableAccount extends Account {
  readonly blocked: boolean
}

export const accountColumns = <User extends Account>(): readonly ResourceColumn<User>[] => [
  { id: 'username', label: t('people.username'), cell: ({ username }) => username },
  { id: 'email', label: t('people.email'), cell: ({ email }) => email, isSecondary: true },
  { id: 'role', label: t('people.role'), cell: ({ role }) => <span className={classes.role}>{role}</span> },
]

export const accountFilters = (roles: readonly Option[]): readonly ResourceFilter[] => [
  { name: 'search', label: t('people.search'), kind: 'text' },
  { name: 'role', label: t('people.role'), kind: 'choice', options: roles },
]

/** Blocks or unblocks an account. */
export function blockAction(
  { blocked, username: name }: BlockableAccount,
  setBlocked: (blocked: boolean) => unknown,
): RowAction {
  if (blocked) {
    return {
      id: 'unblock',
      label: t('people.unblock'),
      icon: 'unlock',
      done: t('people.unblocked', { name }),
      run: () => setBlocked(false),
    }
  }
  return {
    id: 'block',
    label: t('people.block'),
    icon: 'lock',
    confirm: {
      title: t('people.blockTitle', { name }),
      text: t('people.blockText'),
      action: t('people.block'),
    },
    done: t('people.blockedNow', { name }),
    run: () => setBlocked(true),
  }
}

export function deleteAction({ username: name }: Account, remove: () => unknown): RowAction {
  return {
    id: 'delete',
    label: t('people.delete'),
    icon: 'trash-2',
    isDangerous: true,
    confirm: {
      title: t('people.deleteTitle', { name }),
      text: t('people.deleteText'),
      action: t('people.delete'),
    },
    done: t('people.deleted', { name }),
    run: remove,
  }
}
