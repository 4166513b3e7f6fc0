import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { EntryAssignment } from '../../../../../../client/admin.ts'
import { useAccess } from '../../ground/access/access.ts'
import { api } from '../../ground/api/client.ts'
import type { DescribedType } from '../../ground/api/content-types.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Avatar } from '../../ground/kit/avatar/avatar.tsx'
import { IconButton } from '../../ground/kit/button/button.tsx'
import { TextField } from '../../ground/kit/field/text-field.tsx'
import classes from './discussion.module.css'
import { PersonSearch } from './person-search.tsx'
import { discussionKey } from './use-comments.ts'
import { useDiscussionWrite } from './use-discussion-write.ts'

export interface AssignmentsProps {
  readonly type: DescribedType
  readonly id: number
}

/** The people assigned to the entry, with their roles. */
export function Assignments({ type, id }: AssignmentsProps) {
  const path = `/content/${encodeURIComponent(type.name)}/${id}/assignments`
  const { data = [] } = useQuery({
    queryKey: [...discussionKey(type.name, id), 'assignments'],
    queryFn: ({ signal }) => api.send<readonly EntryAssignment[]>('GET', `${path}?limit=100`, { signal }),
  })
  const mayAssign = useAccess().mayContent(type.name, 'update')
  const { mutate } = useDiscussionWrite(type.name, id)
  return (
    <section className={classes.form} aria-label={t('discussion.assigned')}>
      <h3 className={classes.heading}>{t('discussion.assigned')}</h3>
      {data.length === 0 && <p className={classes.quiet}>{t('discussion.nobody')}</p>}
      <ul className={classes.people}>
        {data.map(({ id: assignmentId, username, role }) => (
          <li key={assignmentId} className={classes.person}>
            <Avatar username={username} />
            <span className={classes.name}>
              {username} <span className={classes.quiet}>{role}</span>
            </span>
            {mayAssign && (
              <IconButton
                size="s"
                icon="x"
                label={t('discussion.unassign', { name: username })}
                onPress={() => mutate({ method: 'DELETE', path: `${path}/${assignmentId}` })}
              />
            )}
          </li>
        ))}
      </ul>
      {mayAssign && (
        <Assign
          taken={data}
          onAssign={(userId, role) => mutate({ method: 'POST', path, body: { userId, role } })}
        />
      )}
    </section>
  )
}

interface AssignProps {
  readonly taken: readonly EntryAssignment[]
  readonly onAssign: (userId: number, role: string) => void
}

function Assign({ taken, onAssign }: AssignProps) {
  const [role, setRole] = useState(t('discussion.usualRole'))
  const as = role.trim() === '' ? t('discussion.usualRole') : role.trim()
  return (
    <div className={classes.assign}>
      <TextField label={t('discussion.role')} value={role} maxLength={64} onChange={setRole} />
      <PersonSearch
        label={t('discussion.assign')}
        taken={taken.filter((each) => each.role === as).map(({ userId }) => userId)}
        onChoose={(person) => onAssign(person.id, as)}
      />
    </div>
  )
}
