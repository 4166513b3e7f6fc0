import type { RegisterContext } from '../../kernel/index.ts'
import { alertRaised } from '../alerts/alerts.ts'
import {
  type EntryEvent,
  entryCreated,
  entryDeleted,
  entryDraftChanged,
  entryPublished,
  entryUnpublished,
  entryUpdated,
} from '../content/content.ts'
import { discussionChanged } from '../discussion/discussion.ts'
import type { Principal } from '../http/http.ts'
import { releasePublished } from '../releases/releases.ts'
import { workflowTransitioned } from '../workflow/workflow.ts'
import type { LiveActor, LiveEvents } from './live-events.ts'

const entryHooks = {
  create: entryCreated,
  update: entryUpdated,
  delete: entryDeleted,
  publish: entryPublished,
  unpublish: entryUnpublished,
  draft: entryDraftChanged,
} as const

/** Publishes what other plugins say has happened. */
export function publishChanges({ on }: Pick<RegisterContext, 'on'>, { publish }: LiveEvents): void {
  for (const [operation, hook] of Object.entries(entryHooks)) {
    on(hook, (event) => publish(entryEvent(operation, event)))
  }
  on(workflowTransitioned, ({ contentType: type, entryId, principal }) =>
    publish({ kind: 'entry', type, entryId, operation: 'transition', ...actorOf(principal) }),
  )
  on(discussionChanged, ({ entry: { type, id: entryId }, principal, recipients }) => {
    publish({ kind: 'discussion', type, entryId, ...actorOf(principal) })
    for (const audience of recipients) publish({ kind: 'inbox', type, entryId, audience })
  })
  on(releasePublished, () => publish({ kind: 'release', operation: 'publish' }))
  on(alertRaised, () => publish({ kind: 'alert', operation: 'raise' }))
}

function entryEvent(operation: string, { contentType: type, entry, principal }: EntryEvent) {
  const { id: entryId, locale, updated_at: version } = entry
  return {
    ...({ kind: 'entry', type, entryId, operation } as const),
    ...(typeof locale === 'string' && { locale }),
    ...(typeof version === 'string' && { version }),
    ...actorOf(principal),
  }
}

function actorOf(principal: Principal): { readonly by?: LiveActor } {
  if (principal.kind === 'anonymous') return {}
  const { kind, id } = principal
  return { by: { kind, id, name: principal.kind === 'token' ? principal.name : principal.username } }
}
