import { useEffect } from 'react'
import { useEntry, useEntrySession } from '../../../content/entry/entry-session.ts'
import { usePathWords } from '../../../content/entry/use-path-words.ts'
import { useAccess } from '../../../ground/access/access.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Avatar } from '../../../ground/kit/avatar/avatar.tsx'
import { useComments } from '../../discussion/use-comments.ts'
import classes from './entry-presence.module.css'
import { marks, marksOf } from './marks.ts'
import { useChangesOfOthers } from './use-changes-of-others.ts'
import { usePresence } from './use-presence.ts'

/** Shows who else has the entry open. Their saves are merged into the form, and marks show which fields they are in. */
export default function EntryPresence() {
  const session = useEntrySession()
  const { id, type } = useEntry()
  const access = useAccess()
  const people = usePresence(type.name, access.isOn('panel-events') ? id : undefined)
  const { comments } = useComments(type.name, access.isOn('discussion') ? id : undefined)
  useChangesOfOthers(session, id)
  const { store } = session
  useEffect(() => marks.set({ store, byPath: marksOf(people, comments ?? []) }), [store, people, comments])
  useEffect(() => () => marks.set(undefined), [])
  if (people.length === 0) return null
  return (
    <ul className={classes.people} aria-label={t('presence.title')}>
      {people.map(({ id: personId, username, field }) => (
        <li key={personId}>
          <Person name={username} field={field} />
        </li>
      ))}
    </ul>
  )
}

function Person({ name, field }: { readonly name: string; readonly field: string | null }) {
  const wordsOf = usePathWords()
  const label = field === null ? name : t('presence.at', { name, field: wordsOf(field) })
  return <Avatar username={name} label={label} />
}
