import { api, Badge, Link, Skeleton, useQuery } from 'mortise/panel'
import classes from './incomplete-entries.module.css'
import { t } from './texts.ts'

interface Incomplete {
  readonly type: string
  readonly id: number
  readonly title: string
  readonly problems: number
}

/** Entries that search engines would show badly, the worst first. */
export function IncompleteEntries() {
  const { data, error } = useQuery({
    queryKey: ['seo', 'incomplete'],
    queryFn: ({ signal }) => api.send<readonly Incomplete[]>('GET', '/x/seo/incomplete', { signal }),
  })
  if (error !== null) return <p>{error.message}</p>
  if (data === undefined) return <Skeleton />
  if (data.length === 0) return <p className={classes.quiet}>{t('allGood')}</p>
  return (
    <ul className={classes.list}>
      {data.map(({ type, id, title, problems }) => (
        <li key={`${type} ${id}`} className={classes.item}>
          <Link to={`/content/${type}/${id}`} className={classes.title}>
            {title}
          </Link>
          <Badge tone="warning">{t('problems', { count: problems })}</Badge>
        </li>
      ))}
    </ul>
  )
}
