import { useSyncExternalStore } from 'react'
import { useSearchParams } from 'wouter'
import { useEntrySession } from '../../../content/entry/entry-session.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Avatar } from '../../../ground/kit/avatar/avatar.tsx'
import { Icon } from '../../../ground/kit/icon/icon.tsx'
import classes from './field-marks.module.css'
import { marks } from './marks.ts'

/** Shows who else is in a field, and its number of comments. */
export default function FieldMarks({ path }: { readonly path: string }) {
  const { store } = useEntrySession()
  const mark = useSyncExternalStore(marks.subscribe, () => {
    const shown = marks.get()
    return shown?.store === store ? shown.byPath.get(path) : undefined
  })
  if (mark === undefined) return null
  return (
    <div className={classes.marks}>
      {mark.comments > 0 && <CommentMark count={mark.comments} />}
      {mark.people.map((name) => (
        <Avatar key={name} username={name} label={t('presence.inField', { name })} />
      ))}
    </div>
  )
}

function CommentMark({ count }: { readonly count: number }) {
  const [, setSearch] = useSearchParams()
  const open = () =>
    setSearch((search) => {
      search.set('panel', 'discussion')
      return search
    })
  return (
    <button
      type="button"
      className={classes.comments}
      onClick={open}
      aria-label={t('presence.comments', { count })}
    >
      <Icon name="message-square" />
      <span aria-hidden>{count}</span>
    </button>
  )
}
