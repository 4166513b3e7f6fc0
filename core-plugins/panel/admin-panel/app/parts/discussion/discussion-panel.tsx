import { useState } from 'react'
import { useEntry } from '../../content/entry/entry-session.ts'
import type { DescribedType } from '../../ground/api/content-types.ts'
import { errorText } from '../../ground/i18n/problem-text.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Button } from '../../ground/kit/button/button.tsx'
import { Skeleton } from '../../ground/kit/loading/loading.tsx'
import { Assignments } from './assignments.tsx'
import { CommentForm } from './comment-form.tsx'
import classes from './discussion.module.css'
import { ThreadView } from './thread.tsx'
import { threadsOf } from './threads.ts'
import { useComments } from './use-comments.ts'

/** The assignments and comments of the entry. */
export default function DiscussionPanel() {
  const { id, type } = useEntry()
  if (id === undefined) return null
  return (
    <div className={classes.panel}>
      <Assignments type={type} id={id} />
      <Comments key={`${type.name} ${id}`} type={type} id={id} />
    </div>
  )
}

function Comments({ type, id }: { readonly type: DescribedType; readonly id: number }) {
  const { comments, missing, error, isFetchingNextPage, fetchNextPage } = useComments(type.name, id)
  const [showsResolved, setShowsResolved] = useState(false)
  if (error !== null) return <p>{errorText(error)}</p>
  if (comments === undefined) return <Skeleton lines={4} />
  const threads = threadsOf(comments)
  const open = threads.filter(({ comment }) => !comment.resolved)
  const resolvedCount = threads.length - open.length
  const shown = showsResolved ? threads : open
  return (
    <section className={classes.form} aria-label={t('discussion.title')}>
      <h3 className={classes.heading}>{t('discussion.title')}</h3>
      {shown.length > 0 && (
        <ol className={classes.threads}>
          {shown.map((thread) => (
            <ThreadView key={thread.comment.id} type={type} id={id} thread={thread} />
          ))}
        </ol>
      )}
      {missing > 0 && (
        <Button size="s" isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
          {t('discussion.more', { count: missing })}
        </Button>
      )}
      {resolvedCount > 0 && (
        <Button size="s" look="plain" onPress={() => setShowsResolved(!showsResolved)}>
          {showsResolved
            ? t('discussion.hideResolved')
            : t('discussion.showResolved', { count: resolvedCount })}
        </Button>
      )}
      <CommentForm type={type} id={id} />
    </section>
  )
}
