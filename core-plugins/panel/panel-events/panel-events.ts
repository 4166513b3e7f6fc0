import { type ServiceToken, service } from '../../../kernel/index.ts'
import type { ChangeActor } from '../../entries/changes/changes.ts'

/**
 * The kind of event: an entry was written, its discussion or presence has changed, a release was published, an alert was raised,
 * or one person's inbox has changed.
 */
export type LiveEventKind = 'entry' | 'discussion' | 'presence' | 'release' | 'alert' | 'inbox'

/** An event. It names things without values: receivers load what they may see. */
export interface LiveEvent {
  readonly kind: LiveEventKind
  /** Singular name of a content type. */
  readonly type?: string
  /** The entry's id; without it, many entries of the type have changed. */
  readonly entryId?: number
  readonly operation?: string
  readonly locale?: string
  /** The present `updated_at` of the entry. */
  readonly version?: string | undefined
  readonly by?: ChangeActor | undefined
  /** The admin user who receives it; by default everyone who may see what it names. */
  readonly audience?: number
}

/** Publishes events to open panels, in every process. */
export interface LiveEvents {
  /** Returns immediately. Call it after the commit. Events may be lost, but panels reload important data anyway. */
  publish(event: LiveEvent): void
}

export const liveEventsService: ServiceToken<LiveEvents> = service('liveEvents')
