import { useState } from 'react'
import { useAccess } from '../../../../ground/access/access.ts'
import type { DescribedWorkflow } from '../../../../ground/api/content-types.ts'
import { t } from '../../../../ground/i18n/translate.ts'
import { Badge } from '../../../../ground/kit/badge/badge.tsx'
import { Button } from '../../../../ground/kit/button/button.tsx'
import { TextArea } from '../../../../ground/kit/field/text-field.tsx'
import { toast } from '../../../../ground/kit/toast/toast.tsx'
import { maxCommentLength } from '../../../schema/comment-length.ts'
import { StateLabel } from '../../../schema/state-label.tsx'
import { rolesOf, type Way, waysFrom } from '../../../schema/ways.ts'
import { RefusalNote } from '../publication/problem-list.tsx'
import { workflowStateOf } from '../publication/publication.ts'
import type { SavedEntry } from '../publication/publication-requests.ts'
import { useEntryChange } from '../publication/use-entry-change.ts'
import classes from './status.module.css'
import { WorkflowHistory } from './workflow-history.tsx'

export interface WorkflowProps {
  readonly entry: SavedEntry
  readonly workflow: DescribedWorkflow
}

/** The workflow state of the entry, the possible transitions, and the roles that may take them. */
export function Workflow({ entry, workflow }: WorkflowProps) {
  const access = useAccess()
  const state = workflowStateOf(entry.type, entry.saved.entry)
  const ways = waysFrom(entry.type, state?.name, access)
  const others = ways.filter((way) => !way.isOpen && rolesOf(way) !== '')
  return (
    <section className={classes.workflow} aria-label={t('workflow.title')}>
      <p className={classes.state}>
        <span className={classes.quiet}>{t('workflow.title')}</span>
        <Badge>
          <StateLabel state={state} name={t('workflow.unknown')} />
        </Badge>
      </p>
      {state !== undefined && !state.publishable && (
        <p className={classes.quiet}>
          {t('workflow.publishableIn', { states: publishableStates(workflow) })}
        </p>
      )}
      <Transitions key={state?.name} entry={entry} open={ways.filter(({ isOpen }) => isOpen)} />
      {others.map((way) => (
        <p key={way.to} className={classes.quiet}>
          {t('workflow.othersMay', { transition: way.label, roles: rolesOf(way) })}
        </p>
      ))}
      <WorkflowHistory entry={entry} />
    </section>
  )
}

interface TransitionsProps {
  readonly entry: SavedEntry
  readonly open: readonly Way[]
}

/** Buttons for the allowed transitions, with a comment for the next person. */
function Transitions({ entry, open }: TransitionsProps) {
  const [comment, setComment] = useState('')
  const change = useEntryChange(entry, () => toast('success', t('workflow.done')))
  if (open.length === 0) return null
  const take = ({ from, to }: Way) => {
    const word = comment.trim()
    const body = { from, to, ...(word !== '' && { comment: word }) }
    change.mutate({ method: 'PUT', path: '/workflow/transition', body })
  }
  return (
    <>
      <TextArea
        label={t('workflow.comment')}
        value={comment}
        maxLength={maxCommentLength}
        onChange={setComment}
      />
      {change.error !== null && <RefusalNote error={change.error} />}
      <div className={classes.buttons}>
        {open.map((way) => (
          <Button
            key={way.to}
            size="s"
            isPending={change.isPending && (change.variables.body as { to?: string }).to === way.to}
            onPress={() => take(way)}
          >
            {way.label}
          </Button>
        ))}
      </div>
    </>
  )
}

const publishableStates = ({ states }: DescribedWorkflow) =>
  states
    .filter(({ publishable }) => publishable)
    .map(({ label }) => label)
    .join(', ')
