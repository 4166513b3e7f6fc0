import type { RegisterContext } from '../../kernel/index.ts'
import { alertRaised } from '../alerts/alerts.ts'
import { actorOf } from '../changes/changes.ts'
import { discussionChanged } from '../discussion/discussion.ts'
import type { Principal } from '../http/http.ts'
import { releasePublished } from '../releases/releases.ts'
import { workflowTransitioned } from '../workflow/workflow.ts'
import type { LiveEvent, LiveEvents } from './panel-events.ts'

/** Publishes what other plugins say has happened. Writes of content are in the change log. */
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
