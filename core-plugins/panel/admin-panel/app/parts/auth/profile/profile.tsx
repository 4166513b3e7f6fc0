import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import type { AdminUser } from '../../../../../../../client/admin.ts'
import { useAccess } from '../../../ground/access/access.ts'
import { api } from '../../../ground/api/client.ts'
import { errorText } from '../../../ground/i18n/problem-text.ts'
import { t, withTexts } from '../../../ground/i18n/translate.ts'
import { EmptyState } from '../../../ground/kit/empty-state/empty-state.tsx'
import { Skeleton } from '../../../ground/kit/loading/loading.tsx'
import { Page } from '../../../ground/kit/page/page.tsx'
import { lazyPart } from '../../../ground/lazy/lazy-part.ts'
import { NamesForm } from './names-form.tsx'
import { PasswordForm } from './password-form.tsx'
import classes from './profile.module.css'
import { profileKey } from './profile-key.ts'
import { Sessions } from './sessions.tsx'

const Notifications = lazyPart(withTexts('inbox', () => import('./notifications.tsx')))

/** The user's own account: names, password, notifications and sessions. */
export default function ProfileScreen() {
  const { isOn } = useAccess()
  const { data, error } = useQuery({
    queryKey: [profileKey],
    queryFn: () => api.admins.me() as Promise<AdminUser>,
  })
  return (
    <Page title={t('profile.title')} width="text">
      {error !== null && <EmptyState icon="triangle-alert" title={errorText(error)} />}
      {data === undefined && error === null && <Skeleton lines={8} />}
      {data !== undefined && (
        <div className={classes.profile}>
          <NamesForm key={data.updated_at} me={data} />
          <PasswordForm username={data.username} />
          {['notifications', 'inbox', 'email'].every(isOn) && (
            <Suspense fallback={<Skeleton lines={4} />}>
              <Notifications />
            </Suspense>
          )}
          <Sessions />
        </div>
      )}
    </Page>
  )
}
