import { useQuery } from '@tanstack/react-query'
import type { Scheduled as ScheduledItems } from '../../../../../../client/admin.ts'
import { api } from '../../ground/api/client.ts'
import { momentText } from '../../ground/i18n/moment-text.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Icon } from '../../ground/kit/icon/icon.tsx'
import { Link } from '../../ground/kit/link/link.tsx'
import classes from '../../shell/home/home.module.css'
import { HomeEntries } from './home-entries.tsx'

/** The next publications: entries, and releases that the user may read. */
export function Scheduled() {
  const { data, error } = useQuery({
    queryKey: ['scheduled'],
    queryFn: ({ signal }) => api.send<ScheduledItems>('GET', '/admin/scheduled?limit=6', { signal }),
  })
  const releases = data?.releases ?? []
  return (
    <HomeEntries
      title={t('home.scheduled')}
      icon="calendar-clock"
      empty={releases.length === 0 ? t('home.noScheduled') : ''}
      error={error}
      entries={data?.entries.map((entry) => ({ ...entry, note: <When at={entry.published_at} /> }))}
    >
      {releases.length > 0 && (
        <ul className={classes.list}>
          {releases.map(({ id, name, scheduled_at, entryCount }) => (
            <li key={id} className={classes.entry}>
              <span className={classes.release}>
                <Icon name="package" size="s" />
                <Link to={`/releases/${id}`} className={classes.entryLink}>
                  {t('home.release', { name })}
                </Link>
                <span className={classes.quiet}>{t('home.releaseCount', { count: entryCount })}</span>
              </span>
              <When at={scheduled_at} />
            </li>
          ))}
        </ul>
      )}
    </HomeEntries>
  )
}

const When = ({ at }: { readonly at: string }) => (
  <time className={classes.quiet} dateTime={at}>
    {momentText(at)}
  </time>
)
