import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { TakenTransition } from '../../../../../../../../client/admin.ts'
import type { Page } from '../../../../../../../../client/client.ts'
import { transport } from '../../../../ground/api/client.ts'
import { momentText } from '../../../../ground/i18n/moment-text.ts'
import { errorText } from '../../../../ground/i18n/problem-text.ts'
import { t } from '../../../../ground/i18n/translate.ts'
import { Button } from '../../../../ground/kit/button/button.tsx'
import { Skeleton } from '../../../../ground/kit/loading/loading.tsx'
import { StateLabel } from '../../../schema/state-label.tsx'
import { stateNamed } from '../../../schema/state-named.ts'
import { pathOf, type SavedEntry } from '../publication/publication-requests.ts'
import classes from './status.module.css'

/** How many of the latest transitions are shown. */
const shownCount = 50

/** The entry's past transitions, loaded when the section is opened. */
export function WorkflowHistory({ entry }: { readonly entry: SavedEntry }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <div>
        <Button size="s" look="plain" icon="history" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
          {t('workflow.history')}
        </Button>
      </div>
      {isOpen && <History entry={entry} />}
    </>
  )
}

function History({ entry }: { readonly entry: SavedEntry }) {
  const { data, error, isPending } = useQuery({
    queryKey: ['workflow-history', entry.type.name, entry.id],
    queryFn: ({ signal }) => readLast(entry, signal),
  })
  if (isPending) return <Skeleton />
  if (error !== null) return <p className={classes.quiet}>{errorText(error)}</p>
  if (data.length === 0) return <p className={classes.quiet}>{t('workflow.noHistory')}</p>
  return (
    <ol className={classes.history} aria-label={t('workflow.history')}>
      {data.map((taken) => (
        <Step key={taken.id} taken={taken} entry={entry} />
      ))}
    </ol>
  )
}

function Step({ taken, entry: { type } }: { readonly taken: TakenTransition; readonly entry: SavedEntry }) {
  const { to, comment, actor, created_at: at } = taken
  return (
    <li className={classes.step}>
      <StateLabel state={stateNamed(type, to)} name={to} />
      <span className={classes.quiet}>
        {actor !== null && `${actor.username} · `}
        <time dateTime={at}>{momentText(at)}</time>
      </span>
      {comment !== null && <p className={classes.comment}>{comment}</p>}
    </li>
  )
}

/** The latest transitions, newest first; the service returns the oldest first. */
async function readLast(entry: SavedEntry, signal: AbortSignal): Promise<readonly TakenTransition[]> {
  const path = `${pathOf(entry)}/workflow/history`
  const read = (offset: number) =>
    transport.send<readonly TakenTransition[]>('GET', `${path}?limit=${shownCount}&offset=${offset}`, {
      signal,
    })
  const first = await read(0)
  const { total = 0 } = first.pagination as Page<TakenTransition>['pagination']
  const { data } = total > shownCount ? await read(total - shownCount) : first
  return data.toReversed()
}
