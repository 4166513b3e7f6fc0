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

export const entryCreated: HookToken<EntryEvent> = hook('content:afterCreate')
export const entryUpdated: HookToken<EntryEvent> = hook('content:afterUpdate')
export const entryDeleted: HookToken<EntryEvent> = hook('content:afterDelete')
export const entryPublished: HookToken<EntryEvent> = hook('content:published')
export const entryUnpublished: HookToken<EntryEvent> = hook('content:unpublished')
/** The pending draft of an entry was saved or discarded; `entry` is what readers of drafts now see. */
export const entryDraftChanged: HookToken<EntryEvent> = hook('content:draftChanged')

/** An entry was permanently deleted from the trash; its deletion was announced when it was moved there. */
export const entryPurged: HookToken<EntryEvent> = hook('content:purged')
