import { useState } from 'react'
import type { AdminUser, InvitedUser } from '../../../../../../../client/admin.ts'
import { useAccess } from '../../../ground/access/access.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Button } from '../../../ground/kit/button/button.tsx'
import { Page } from '../../../ground/kit/page/page.tsx'
import { toast } from '../../../ground/kit/toast/toast.tsx'
import { SecretDialog } from '../secret-dialog.tsx'
import { AdminDialog } from './admin-dialog.tsx'
import { AdminList } from './admin-list.tsx'

/** The admin users. */
export default function AdminsScreen() {
  const { isSuperAdmin } = useAccess()
  const [edited, edit] = useState<AdminUser | 'new'>()
  const [link, setLink] = useState<string>()

  function showInvitation({ email, invitation }: InvitedUser) {
    if (invitation.link === null) toast('success', t('people.admins.invited', { email }))
    // The link is only a path if the service does not know its own URL.
    else setLink(new URL(invitation.link, location.origin).href)
  }

  return (
    <Page
      title={t('people.admins.title')}
      actions={
        isSuperAdmin && (
          <Button look="primary" icon="user-plus" onPress={() => edit('new')}>
            {t('people.admins.invite')}
          </Button>
        )
      }
    >
      <AdminList onEdit={edit} onInvited={showInvitation} />
      {edited !== undefined && (
        <AdminDialog edited={edited} onInvited={showInvitation} onClose={() => edit(undefined)} />
      )}
      {link !== undefined && (
        <SecretDialog
          title={t('people.admins.linkTitle')}
          hint={t('people.admins.linkHint')}
          secret={link}
          onClose={() => setLink(undefined)}
        />
      )}
    </Page>
  )
}
