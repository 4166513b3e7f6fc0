import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { InboxItem, InboxSection } from '../../../../../../client/admin.ts'
import { admin } from '../../ground/api/admin.ts'
import { useContentTypes } from '../../ground/api/content-types.ts'
import { errorText } from '../../ground/i18n/problem-text.ts'
import { type TextKey, t } from '../../ground/i18n/translate.ts'
import { Button } from '../../ground/kit/button/button.tsx'
import { EmptyState } from '../../ground/kit/empty-state/empty-state.tsx'
import { Icon } from '../../ground/kit/icon/icon.tsx'
import { Skeleton } from '../../ground/kit/loading/loading.tsx'
import { Page } from '../../ground/kit/page/page.tsx'
import { toast } from '../../ground/kit/toast/toast.tsx'
import classes from './inbox.module.css'
import { InboxEntry } from './inbox-entry.tsx'

const firstLimit = 20
const mostLimit = 200

const titles: Readonly<Record<InboxSection['section'], TextKey>> = {
  assigned: 'inbox.assigned',
  mentioned: 'inbox.mentioned',
  transitions: 'inbox.transitions',
  outdated: 'inbox.outdated',
}

const icons = {
  assigned: 'user-check',
  mentioned: 'at-sign',
  transitions: 'badge-check',
  outdated: 'languages',
}

/** The user's inbox. */
export default function Inbox() {
  const [limit, setLimit] = useState(firstLimit)
  const { data, error } = useQuery({
    queryKey: ['inbox', limit],
    queryFn: ({ signal }) => admin.inbox({ limit, signal }),
    placeholderData: (before) => before,
  })
  const filled = data?.filter(({ total }) => total > 0) ?? []
  return (
    <Page title={t('inbox.title')} width="text">
      {error !== null && <p>{errorText(error)}</p>}
      {data === undefined && error === null && <Skeleton lines={6} />}
      {data !== undefined && filled.length === 0 && (
        <EmptyState icon="inbox" title={t('inbox.empty')}>
          {t('inbox.emptyText')}
        </EmptyState>
      )}
      <div className={classes.sections}>
        {filled.map((section) => (
          <Section key={section.section} section={section} onMore={() => setLimit(mostLimit)} />
        ))}
      </div>
    </Page>
  )
}

interface SectionProps {
  readonly section: InboxSection
  readonly onMore: () => void
}

function Section({ section: { section, total, hasMore, items }, onMore }: SectionProps) {
  const types = useContentTypes()
  const dismiss = useDismiss()
  return (
    <section className={classes.section} aria-label={t(titles[section])}>
      <h2 className={classes.heading}>
        <Icon name={icons[section]} />
        {t(titles[section])}
        <span className={classes.quiet}>{hasMore ? `${total}+` : total}</span>
      </h2>
      <ul className={classes.list}>
        {items.map((item) => (
          <InboxEntry
            key={keyOf(item)}
            item={item}
            type={types?.find(({ name }) => name === item.type)}
            {...(item.mentionId === undefined ? {} : { onDismiss: dismiss })}
          />
        ))}
      </ul>
      {items.length < Math.min(total, mostLimit) && (
        <Button size="s" onPress={onMore}>
          {t('inbox.more')}
        </Button>
      )}
      {hasMore && items.length >= Math.min(total, mostLimit) && (
        <p className={classes.quiet}>{t('inbox.rest', { count: total })}</p>
      )}
    </section>
  )
}

const keyOf = ({ type, id, mentionId, role }: InboxItem) => [type, id, mentionId, role].join(' ')

function useDismiss(): (mentionId: number) => void {
  const queries = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: (mentionId: number) => admin.dismissMention(mentionId),
    onError: (error) => toast('danger', errorText(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: ['inbox'] }),
  })
  return mutate
}
