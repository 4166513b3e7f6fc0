import { type HookToken, hook } from '../../../../kernel/index.ts'
import type { Principal } from '../../../foundation/http/http.ts'
import type { Entry } from './entry.ts'

/**
 * What happened to an entry. `draft`: its pending draft was saved or discarded; the entry itself is
 * unchanged. `purge`: it was permanently deleted from the trash; to everyone but administrators it was
 * already deleted.
 */
export type ContentEvent = 'create' | 'update' | 'delete' | 'publish' | 'unpublish' | 'draft' | 'purge'

/** Payload of the content hooks, which run after the commit. */
export interface EntryEvent {
  /** Singular name of the type. */
  readonly contentType: string
  readonly entry: Entry
  readonly principal: Principal
}

/** An entry was created; emitted after the commit, like all of these. */
export const entryCreated: HookToken<EntryEvent> = hook('content:afterCreate')
/** An entry was updated; for types with pending drafts, also when a draft was published. */
export const entryUpdated: HookToken<EntryEvent> = hook('content:afterUpdate')
/** An entry was deleted or moved to the trash; `entry` holds its last state. */
export const entryDeleted: HookToken<EntryEvent> = hook('content:afterDelete')
/** An entry was published, by a user or because its scheduled time had come. */
export const entryPublished: HookToken<EntryEvent> = hook('content:published')
/** An entry was unpublished, by a user or because its scheduled time had come. */
export const entryUnpublished: HookToken<EntryEvent> = hook('content:unpublished')
/** The pending draft of an entry was saved or discarded; `entry` is what readers of drafts now see. */
export const entryDraftChanged: HookToken<EntryEvent> = hook('content:draftChanged')

/** An entry was permanently deleted from the trash; its deletion was announced when it was moved there. */
export const entryPurged: HookToken<EntryEvent> = hook('content:purged')
