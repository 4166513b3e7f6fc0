import { useQuery } from '@tanstack/react-query'
import type { RecentEntry } from '../../../../../../client/admin.ts'
import { api } from '../../ground/api/client.ts'
import { momentText } from '../../ground/i18n/moment-text.ts'
import { type TextKey, t } from '../../ground/i18n/translate.ts'
import classes from '../../shell/home/home.module.css'
import { HomeEntries } from './home-entries.tsx'

export interface RecentProps {
  readonly by: 'me' | 'others'
}

const operations: Readonly<Record<string, TextKey>> = {
  create: 'home.operation.create',
  delete: 'home.operation.delete',
  publish: 'home.operation.publish',
  restore: 'home.operation.restore',
  unpublish: 'home.operation.unpublish',
  update: 'home.operation.update',
}

/** The entries most recently written by the user, or by others. */
export function Recent({ by }: RecentProps) {
  const { data, error } = useQuery({
    queryKey: ['recent', by],
    queryFn: ({ signal }) =>
      api.send<readonly RecentEntry[]>('GET', `/admin/recent?by=${by}&limit=6`, { signal }),
  })
  return (
    <HomeEntries
      title={t(by === 'me' ? 'home.mine' : 'home.others')}
      icon={by === 'me' ? 'pencil-line' : 'users'}
      empty={t(by === 'me' ? 'home.noMine' : 'home.noOthers')}
      error={error}
      entries={data?.map((entry) => ({ ...entry, note: <Note entry={entry} by={by} /> }))}
    />
  )
}

function Note({ entry, by }: RecentProps & { readonly entry: RecentEntry }) {
  const { operation, by: author, at } = entry
  const done = t(operations[operation] ?? 'home.operation.other')
  return (
    <span className={classes.quiet}>
      {by === 'others' && `${author.username} · `}
      {done} · <time dateTime={at}>{momentText(at)}</time>
    </span>
  )
}
