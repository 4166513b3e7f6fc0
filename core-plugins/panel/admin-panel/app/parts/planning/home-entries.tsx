import type { ReactNode } from 'react'
import { useContentTypes } from '../../ground/api/content-types.ts'
import { errorText } from '../../ground/i18n/problem-text.ts'
import { Link } from '../../ground/kit/link/link.tsx'
import { Skeleton } from '../../ground/kit/loading/loading.tsx'
import classes from '../../shell/home/home.module.css'
import { Widget } from '../../shell/home/widget.tsx'

interface HomeEntry {
  readonly type: string
  readonly id: number
  readonly title: string | null
  /** Below its title. */
  readonly note: ReactNode
}

export interface HomeEntriesProps {
  readonly title: string
  readonly icon: string
  /** Shown if there are none. */
  readonly empty: string
  readonly error: Error | null
  /** Undefined while loading. */
  readonly entries: readonly HomeEntry[] | undefined
  readonly children?: ReactNode
}

/** A home page tile with links to entries. */
export function HomeEntries({ title, icon, empty, error, entries, children }: HomeEntriesProps) {
  const types = useContentTypes()
  const nameOf = (type: string) => types?.find(({ name }) => name === type)?.info.displayName ?? type
  return (
    <Widget title={title} icon={icon}>
      {error !== null && <p>{errorText(error)}</p>}
      {entries === undefined && error === null && <Skeleton />}
      {entries?.length === 0 && empty !== '' && <p className={classes.quiet}>{empty}</p>}
      {entries !== undefined && entries.length > 0 && (
        <ul className={classes.list}>
          {entries.map(({ type, id, title: name, note }) => (
            <li key={`${type}:${id}`} className={classes.entry}>
              <span className={classes.entryTitle}>
                <Link to={`/content/${type}/${id}`} className={classes.entryLink}>
                  {name ?? `#${id}`}
                </Link>
                <span className={classes.quiet}>{nameOf(type)}</span>
              </span>
              {note}
            </li>
          ))}
        </ul>
      )}
      {children}
    </Widget>
  )
}
