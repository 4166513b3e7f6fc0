import type { InboxItem } from '../../../../../../client/admin.ts'
import { wordsOfPath } from '../../content/schema/words-of-path.ts'
import type { DescribedType } from '../../ground/api/content-types.ts'
import { momentText } from '../../ground/i18n/moment-text.ts'
import { t } from '../../ground/i18n/translate.ts'
import { IconButton } from '../../ground/kit/button/button.tsx'
import { Link } from '../../ground/kit/link/link.tsx'
import classes from './inbox.module.css'

export interface InboxEntryProps {
  readonly item: InboxItem
  readonly type: DescribedType | undefined
  /** Set for items that can be dismissed. */
  readonly onDismiss?: (mentionId: number) => void
}

/** An entry in the inbox, with the reason. */
export function InboxEntry({ item, type, onDismiss }: InboxEntryProps) {
  const { id, title, at, comment, mentionId } = item
  const name = title ?? `#${id}`
  const panel = comment === undefined && item.role === undefined ? '' : '?panel=discussion'
  return (
    <li className={classes.entry}>
      <div className={classes.what}>
        <Link to={`/content/${item.type}/${id}${panel}`} className={classes.title}>
          {name}
        </Link>
        {comment !== undefined && <p className={classes.comment}>{comment}</p>}
        <p className={classes.quiet}>
          {[type?.info.displayName ?? item.type, ...reasonsOf(item, type)].join(' · ')}
          {at !== null && ' · '}
          {at !== null && <time dateTime={at}>{momentText(at)}</time>}
        </p>
      </div>
      {mentionId !== undefined && onDismiss !== undefined && (
        <IconButton
          size="s"
          icon="check"
          label={t('inbox.dismiss', { name })}
          onPress={() => onDismiss(mentionId)}
        />
      )}
    </li>
  )
}

function reasonsOf({ by, role, field, state, transitions = [] }: InboxItem, type: DescribedType | undefined) {
  const states = type?.workflow?.states ?? []
  const stateName = states.find(({ name }) => name === state)?.label ?? state
  const ways = transitions.map(({ label }) => label).join(', ')
  return [
    ...(role === undefined ? [] : [t('inbox.as', { role })]),
    ...(field === undefined ? [] : [type === undefined ? field : wordsOfPath(field, type)]),
    ...(by === undefined ? [] : [t('inbox.by', { name: by.username })]),
    ...(stateName === undefined ? [] : [stateName]),
    ...(ways === '' ? [] : [t('inbox.ways', { ways })]),
  ]
}
