import { useState } from 'react'
import { useEntrySession } from '../../content/entry/entry-session.ts'
import { usePathWords } from '../../content/entry/use-path-words.ts'
import { useAccess } from '../../ground/access/access.ts'
import type { DescribedType } from '../../ground/api/content-types.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Button } from '../../ground/kit/button/button.tsx'
import { CommentForm } from './comment-form.tsx'
import { CommentItem } from './comment-item.tsx'
import classes from './discussion.module.css'
import { keptComment } from './kept-comment.ts'
import type { Thread } from './threads.ts'
import { commentsPath } from './use-comments.ts'
import { useDiscussionWrite } from './use-discussion-write.ts'

export interface ThreadViewProps {
  readonly type: DescribedType
  readonly id: number
  readonly thread: Thread
}

/** A comment with its replies and a link to the field that it is about. */
export function ThreadView({ type, id, thread: { comment, answers } }: ThreadViewProps) {
  const { reveal } = useEntrySession()
  const wordsOf = usePathWords()
  const { user } = useAccess()
  const [isAnswered, setAnswered] = useState(
    () => keptComment.read({ userId: user.id, type: type.name, id, parent: comment }) !== undefined,
  )
  const { field } = comment
  return (
    <li className={classes.thread} data-resolved={comment.resolved || undefined}>
      {field !== null && (
        <button type="button" className={classes.field} onClick={() => reveal(field)}>
          {wordsOf(field)}
        </button>
      )}
      <CommentItem type={type} id={id} comment={comment} />
      {answers.length > 0 && (
        <ol className={classes.answers}>
          {answers.map((answer) => (
            <li key={answer.id}>
              <CommentItem type={type} id={id} comment={answer} />
            </li>
          ))}
        </ol>
      )}
      {isAnswered ? (
        <CommentForm type={type} id={id} parent={comment} onDone={() => setAnswered(false)} />
      ) : (
        <div className={classes.actions}>
          <Button size="s" look="plain" onPress={() => setAnswered(true)}>
            {t('discussion.answer')}
          </Button>
          <Settle type={type.name} id={id} commentId={comment.id} isResolved={comment.resolved} />
        </div>
      )}
    </li>
  )
}

interface SettleProps {
  readonly type: string
  readonly id: number
  readonly commentId: number
  readonly isResolved: boolean
}

function Settle({ type, id, commentId, isResolved }: SettleProps) {
  const { mutate, isPending } = useDiscussionWrite(type, id)
  const path = `${commentsPath(type, id)}/${commentId}/resolve`
  return (
    <Button
      size="s"
      isPending={isPending}
      onPress={() => mutate({ method: 'PUT', path, body: { resolved: !isResolved } })}
    >
      {t(isResolved ? 'discussion.reopen' : 'discussion.resolve')}
    </Button>
  )
}
