import type { RegisterContext } from '../../../kernel/index.ts'
import { alertRaised } from '../../background/alerts/alerts.ts'
import { discussionChanged } from '../../editing/discussion/discussion.ts'
import { releasePublished } from '../../editing/releases/releases.ts'
import { workflowTransitioned } from '../../editing/workflow/workflow.ts'
import { actorOf } from '../../entries/changes/changes.ts'
import type { Principal } from '../../foundation/http/http.ts'
import type { LiveEvent, LiveEvents } from './panel-events.ts'

/** Publishes events from other plugins. Content writes come from the change log. */
export function publishChanges({ on }: Pick<RegisterContext, 'on'>, { publish }: LiveEvents): void {
  on(workflowTransitioned, ({ contentType: type, entryId, principal }) =>
    publish({ kind: 'entry', type, entryId, operation: 'transition', ...byOf(principal) }),
  )
  on(discussionChanged, ({ entry: { type, id: entryId }, principal, recipients }) => {
    publish({ kind: 'discussion', type, entryId, ...byOf(principal) })
    for (const audience of recipients) publish({ kind: 'inbox', type, entryId, audience })
  })
  on(releasePublished, () => publish({ kind: 'release', operation: 'publish' }))
  on(alertRaised, () => publish({ kind: 'alert', operation: 'raise' }))
}

function byOf(principal: Principal): Pick<LiveEvent, 'by'> {
  const by = actorOf(principal)
  return by === undefined ? {} : { by }
}
