import { useQuery } from '@tanstack/react-query'
import type { OwnSession } from '../../../../../../../client/admin.ts'
import { admin } from '../../../ground/api/admin.ts'
import { queryClient } from '../../../ground/api/query-client.ts'
import { momentText } from '../../../ground/i18n/moment-text.ts'
import { errorText } from '../../../ground/i18n/problem-text.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Badge } from '../../../ground/kit/badge/badge.tsx'
import { Button } from '../../../ground/kit/button/button.tsx'
import { Skeleton } from '../../../ground/kit/loading/loading.tsx'
import { useRowActions } from '../../../ground/kit/resource-list/use-row-actions.tsx'
import { session } from '../../../ground/session/session.ts'
import { browserName } from './browser-name.ts'
import classes from './profile.module.css'

const sessionsKey = 'own-sessions'

/** The user's sessions, each with a button to end it. */
export function Sessions() {
  const { data, error } = useQuery({
    queryKey: [sessionsKey],
    queryFn: ({ signal }) => admin.accounts.sessions({ signal }),
  })
  const actions = useRowActions(sessionsKey)
  const end = ({ id }: OwnSession) =>
    actions.start({
      id: String(id),
      label: t('profile.end'),
      done: t('profile.ended'),
      run: () => admin.accounts.endSession(id),
    })
  return (
    <section className={classes.section}>
      <h2>{t('profile.sessions')}</h2>
      <p className={classes.hint}>{t('profile.sessionsHint')}</p>
      {error !== null && <p role="alert">{errorText(error)}</p>}
      {data === undefined && error === null && <Skeleton lines={3} />}
      <ul className={classes.sessions}>
        {data?.map((each) => (
          <SessionItem
            key={each.id}
            session={each}
            isPending={actions.pending === String(each.id)}
            onEnd={end}
          />
        ))}
      </ul>
      <div className={classes.buttons}>
        <Button icon="log-out" onPress={() => actions.start(endOthers())}>
          {t('profile.endOthers')}
        </Button>
        <Button look="danger" icon="log-out" onPress={() => actions.start(endAll())}>
          {t('profile.endAll')}
        </Button>
      </div>
      {actions.question}
    </section>
  )
}

interface SessionItemProps {
  readonly session: OwnSession
  readonly isPending: boolean
  readonly onEnd: (session: OwnSession) => void
}

function SessionItem({ session: shown, isPending, onEnd }: SessionItemProps) {
  const { current, user_agent: agent, address, created_at: created, last_seen_at: seen } = shown
  const name = browserName(agent)
  return (
    <li className={classes.session}>
      <div>
        <span className={classes.agent} title={agent}>
          {name}
          {current && <Badge tone="success">{t('profile.current')}</Badge>}
        </span>
        <span className={classes.hint}>
          {t('profile.seen', { address, seen: momentText(seen), created: momentText(created) })}
        </span>
      </div>
      {!current && (
        <Button
          size="s"
          isPending={isPending}
          aria-label={t('profile.endOne', { name })}
          onPress={() => onEnd(shown)}
        >
          {t('profile.end')}
        </Button>
      )}
    </li>
  )
}

const endOthers = () => ({
  id: 'others',
  label: t('profile.endOthers'),
  done: t('profile.othersEnded'),
  async run() {
    const opened = await admin.accounts.endSessions({ keepThis: true })
    if (opened !== null) session.open(opened)
    await queryClient.invalidateQueries({ queryKey: [sessionsKey] })
  },
})

const endAll = () => ({
  id: 'all',
  label: t('profile.endAll'),
  isDangerous: true,
  confirm: { title: t('profile.endAllTitle'), text: t('profile.endAllText'), action: t('profile.endAll') },
  async run() {
    await admin.accounts.endSessions({ keepThis: false })
    session.left()
  },
})
