import { type ServiceToken, service } from '../../../kernel/index.ts'
import type { ChangeActor } from '../../entries/changes/changes.ts'

/**
 * What has happened: an entry was written, its discussion or who is in it has changed, a release was published,
 * an alert was raised, or there is news for one person.
 */
export type LiveEventKind = 'entry' | 'discussion' | 'presence' | 'release' | 'alert' | 'inbox'

/** Something that has happened. It names things and carries no values: receivers fetch what they may see. */
export interface LiveEvent {
  readonly kind: LiveEventKind
  /** Singular name of a content type. */
  readonly type?: string
  /** Of the entry; without it, many entries of the type have changed. */
  readonly entryId?: number
  readonly operation?: string
  readonly locale?: string
  /** `updated_at` of the entry as it is now. */
  readonly version?: string | undefined
  readonly by?: ChangeActor | undefined
  /** The admin user who receives it; without it, everybody who may see what it names. */
  readonly audience?: number
}

/** Publishes what has happened to open panels, in every process. */
export interface LiveEvents {
  /** Returns at once. Call it after the commit: what is published may be lost, and panels fetch what matters anyway. */
  publish(event: LiveEvent): void
}

export const liveEventsService: ServiceToken<LiveEvents> = service('liveEvents')
