import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FutureChanges } from '../../../../../../client/admin.ts'
import { admin } from '../../ground/api/admin.ts'
import { momentOf } from '../../ground/i18n/local-time.ts'
import { momentText } from '../../ground/i18n/moment-text.ts'
import { errorText } from '../../ground/i18n/problem-text.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Drawer } from '../../ground/kit/dialog/dialog.tsx'
import { Icon } from '../../ground/kit/icon/icon.tsx'
import { Link } from '../../ground/kit/link/link.tsx'
import { Skeleton } from '../../ground/kit/loading/loading.tsx'
import { isToCome, MomentInput, tomorrow } from '../releases/moment-input.tsx'
import classes from './calendar.module.css'

type Change = FutureChanges['changes'][number]

const kinds = ['appears', 'changes', 'disappears'] as const
const icons = { appears: 'eye', changes: 'pencil', disappears: 'eye-off' } as const

/** Compares what readers will see at a future time with now. */
export default function FutureDialog({ onClose }: { readonly onClose: () => void }) {
  const [time, setTime] = useState(tomorrow)
  const until = isToCome(time) ? momentOf(time)?.toISOString() : undefined
  const { data, error } = useQuery({
    queryKey: ['calendar', 'changes', until],
    queryFn: ({ signal }) => admin.futureChanges(until ?? '', { signal }),
    enabled: until !== undefined,
    placeholderData: keepPreviousData,
  })
  return (
    <Drawer title={t('calendar.future')} isOpen onClose={onClose}>
      <div className={classes.future}>
        <MomentInput label={t('calendar.futureTime')} value={time} onChange={setTime} />
        {error !== null && <p role="alert">{errorText(error)}</p>}
        {data === undefined && error === null && <Skeleton lines={4} />}
        {data !== undefined && <Changes found={data} onClose={onClose} />}
      </div>
    </Drawer>
  )
}

interface ChangesProps {
  readonly found: FutureChanges
  readonly onClose: () => void
}

function Changes({ found: { changes, hasMore }, onClose }: ChangesProps) {
  if (changes.length === 0) return <p role="status">{t('calendar.futureSame')}</p>
  return (
    <>
      {kinds.map((kind) => {
        const some = changes.filter(({ change }) => change === kind)
        if (some.length === 0) return null
        return (
          <section key={kind} className={classes.agendaDay}>
            <h3 className={classes.agendaTitle}>
              <Icon name={icons[kind]} />
              {t(`calendar.change.${kind}`, { count: some.length })}
            </h3>
            <ul className={classes.items}>
              {some.map((change) => (
                <ChangedEntry key={`${change.type} ${change.id}`} change={change} onClose={onClose} />
              ))}
            </ul>
          </section>
        )
      })}
      {hasMore && <p>{t('calendar.hasMore')}</p>}
    </>
  )
}

function ChangedEntry({ change, onClose }: { readonly change: Change; readonly onClose: () => void }) {
  const { type, id, title, at, release } = change
  return (
    <li className={classes.changed}>
      <Link to={`/content/${type}/${id}`} onClick={onClose}>
        {title ?? `#${id}`}
      </Link>
      <span className={classes.quiet}>
        {release === null
          ? momentText(at)
          : t('calendar.byRelease', { time: momentText(at), name: release.name })}
      </span>
    </li>
  )
}
