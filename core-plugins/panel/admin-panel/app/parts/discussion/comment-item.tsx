import { useState } from 'react'
import type { EntryComment } from '../../../../../../client/admin.ts'
import { useAccess } from '../../ground/access/access.ts'
import type { DescribedType } from '../../ground/api/content-types.ts'
import { momentText } from '../../ground/i18n/moment-text.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Avatar } from '../../ground/kit/avatar/avatar.tsx'
import { Button } from '../../ground/kit/button/button.tsx'
import { CommentForm } from './comment-form.tsx'
import classes from './discussion.module.css'
import { keptComment } from './kept-comment.ts'
import { commentsPath } from './use-comments.ts'
import { useDiscussionWrite } from './use-discussion-write.ts'

export interface CommentItemProps {
  readonly type: DescribedType
  readonly id: number
  readonly comment: EntryComment
}

/** A comment; its author and administrators may edit and delete it. */
export function CommentItem({ type, id, comment }: CommentItemProps) {
  const { user, isAdministrator } = useAccess()
  const [isEdited, setEdited] = useState(
    () => keptComment.read({ userId: user.id, type: type.name, id, edited: comment }) !== undefined,
  )
  const { author, body, mentions, created_at: at } = comment
  if (isEdited) return <CommentForm type={type} id={id} edited={comment} onDone={() => setEdited(false)} />
  return (
    <article className={classes.comment}>
      <p className={classes.by}>
        <Avatar username={author.username} />
        <strong>{author.username}</strong>
        <time dateTime={at} className={classes.quiet}>
          {momentText(at)}
        </time>
      </p>
      <p className={classes.body}>{body}</p>
      {mentions.length > 0 && (
        <p className={classes.quiet}>{mentions.map(({ username }) => `@${username}`).join(' ')}</p>
      )}
      {(isAdministrator || author.id === user.id) && (
        <Changes type={type} id={id} comment={comment} onEdit={() => setEdited(true)} />
      )}
    </article>
  )
}

function Changes({ type, id, comment, onEdit }: CommentItemProps & { readonly onEdit: () => void }) {
  const { mutate, isPending } = useDiscussionWrite(type.name, id)
  const [isAsked, setAsked] = useState(false)
  const remove = () => mutate({ method: 'DELETE', path: `${commentsPath(type.name, id)}/${comment.id}` })
  return (
    <div className={classes.actions}>
      <Button size="s" look="plain" onPress={onEdit}>
        {t('discussion.edit')}
      </Button>
      {isAsked ? (
        <Button size="s" look="danger" autoFocus isPending={isPending} onPress={remove}>
          {t('discussion.reallyDelete')}
        </Button>
      ) : (
        <Button size="s" look="plain" onPress={() => setAsked(true)}>
          {t('discussion.delete')}
        </Button>
      )}
    </div>
  )
}
