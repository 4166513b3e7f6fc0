import { type Awaitable, type ServiceToken, service } from '../../../kernel/index.ts'
import type { Transaction } from '../../foundation/database/database.ts'
import type { ContentEvent, EntryChangeKind, Image } from '../content/content.ts'
import type { ChangeActor } from './actor.ts'
import type { ReadRecord } from './read-record.ts'

export { actorOf, type ChangeActor } from './actor.ts'
export { ReadRecord, type TypeDependence } from './read-record.ts'

/**
 * What happened: to an entry (see `EntryChangeKind`); `flip`: an entry has reached the time of its publication, and nothing was
 * written; `reset`: anything may have changed.
 */
export type ChangeKind = EntryChangeKind | 'flip' | 'reset'

/**
 * The content write that made a change. Shown only to callers who see drafts of the type, because readers must not learn who
 * wrote.
 */
export interface ChangeOrigin {
  readonly operation: ContentEvent
  /** Undefined: a caller without credentials. */
  readonly by?: ChangeActor | undefined
  /** The `updated_at` that readers of drafts see afterwards; undefined for types without `timestamps`. */
  readonly version?: string | undefined
}

/** One change, as it was committed. */
export interface Change {
  readonly uid: string
  /** Its position in the log; undefined if it has not been numbered yet. */
  readonly position: number | undefined
  /**
   * Singular name of the type, or the name of something else that answers depend on, such as the search index; undefined: all
   * types.
   */
  readonly type: string | undefined
  /** Undefined: any entry of the type. */
  readonly entryId: number | undefined
  readonly kind: ChangeKind
  readonly locale: string | undefined
  /** Whether everyone who may read the type could see the entry before the change, and after it. */
  readonly wasPublic: boolean
  readonly isPublic: boolean
  /** Names of the fields whose values changed; undefined: any may have. */
  readonly fields: ReadonlySet<string> | undefined
  /**
   * The entry before the change: numbers, booleans, null, short texts, lists of ids. Null: it did not exist; undefined: unknown.
   */
  readonly before: Image | null | undefined
  /** The entry after the change, in the same form. */
  readonly after: Image | null | undefined
  /** Undefined if the change is no content write: system types, lost references, `flip` and `reset`. */
  readonly origin: ChangeOrigin | undefined
  /** ISO 8601, the time of the write. */
  readonly at: string
}

/**
 * The changes of all processes that this process knows of. Each gets the next generation number when it is applied; changes of
 * this process are applied before their write is acknowledged. The last `ringSize` are kept.
 */
export interface ChangeTail {
  /** The generation of the newest applied change; increases by one with each. */
  readonly generation: number
  /** The generation of the newest change of a type, or of all types. */
  generationOf(type: string): number
  /** The change with a generation; undefined if it is no longer kept. */
  at(generation: number): Change | undefined
  /** All numbered changes up to this position have been applied. */
  readonly position: number
  /** When the newest complete check of the log began, in milliseconds (monotonic, `performance.now`). */
  readonly checkedAtMs: number
  /** Checks the log once more, and applies every change that was committed before the call. */
  check(): Awaitable<void>
  /**
   * Returns undefined if the last check is at most `maxAgeMs` old (from two fifths of that on, it starts the next one in the
   * background); otherwise a promise of a check.
   */
  freshen(maxAgeMs: number): Awaitable<void> | undefined
  /** Whether the change with this uid was applied recently. */
  knows(uid: string): boolean
  /**
   * Calls the listener with changes as they are applied; several at once are in the order of the log. Returns a function that
   * removes it.
   */
  onApplied(listener: (changes: readonly Change[]) => void): () => void
}

/** A change other than the write of an entry. */
export interface NotedChange {
  readonly kind: ChangeKind
  readonly type?: string
  readonly entryId?: number
}

/** A section of the log. */
export interface ChangePage {
  readonly changes: readonly Change[]
  /** Whether more changes follow. */
  readonly hasMore: boolean
  /** The position of the last change; the requested position if there are none. */
  readonly position: number
}

/** Receives the changes of all processes from the log: each change once, in order. */
export interface ChangeFollower {
  /**
   * Called with the next section of the log and the position at which it ends: the first change after a pause by itself, then the
   * changes committed within about 100 ms. The following call waits until the returned promise resolves.
   */
  changed(changes: readonly Change[], position: number): Awaitable<void>
  /** Called if changes up to a position could not be delivered: anything may have changed. */
  skipped(position: number): void
}

/** A follower's place in the log. */
export interface Following {
  /** All changes after this position will be delivered. */
  readonly position: number
  /** Resolves when every change that was committed before the call has been delivered. */
  catchUp(): Promise<void>
  stop(): void
}

/** Everything that has changed, whichever way it was written, across all processes. */
export interface ChangeLog {
  readonly tail: ChangeTail
  /** Identifies this log; positions are valid only in the log they come from. */
  readonly epoch: string
  /** Adds a change to the log, with the transaction. */
  note(change: NotedChange, tx: Transaction): void
  /** At most `limit` changes after a position. Undefined if some of them may have been deleted: the caller has to start over. */
  after(position: number, limit: number): Promise<ChangePage | undefined>
  /** The position after all changes that were committed before the call. */
  head(): Promise<number>
  /** The position in a cursor from `cursorOf`; undefined if the cursor belongs to another log or is invalid. */
  positionIn(cursor: string): number | undefined
  /** Delivers changes from now on. The log is read once for all followers of a process, and only while it has any. */
  follow(follower: ChangeFollower): Promise<Following>
  /** The opaque form of a position that clients receive. */
  cursorOf(position: number): string
}

/** What an answer depends on, and up to which change it is known to be right. */
export interface DatedReads {
  readonly reads: ReadRecord
  /** The generation of the change log up to which the answer was last found to be right. */
  checkedAt: number
  /** When its first read began, in epoch milliseconds. */
  readonly readAtMs: number
}

/**
 * Why an answer that was just made must not be reused; `opaque`: it depends on something that the change log does not record;
 * `overtaken`: something changed meanwhile; `untimed`: the time at which it becomes outdated is unknown.
 */
export type Refusal = 'opaque' | 'overtaken' | 'untimed'

/** Decides whether kept answers are still right. */
export interface AnswerValidity {
  /** Tests an answer against the changes since its last test. */
  isRight(kept: DatedReads): boolean
  /** The same, but ignores entries that may have become public by reaching their time: what the answer shows is still right. */
  isUnchanged(kept: DatedReads): boolean
  /** The change that invalidated the answer in the last test, if a change did. */
  readonly culprit: Change | undefined
  /** Why an answer that was just made may not be kept; undefined if it may. `begun` is the generation before its first read. */
  refusal(reads: ReadRecord, begun: number, readAtMs: number): Refusal | undefined
  /**
   * When the next entry of these types becomes public without a write, in epoch milliseconds; undefined while unknown, in which
   * case the call starts to load it.
   */
  nextPublication(types: Iterable<string>): number | undefined
}

export const answerValidityService: ServiceToken<AnswerValidity> = service('answerValidity')

export const changeLogService: ServiceToken<ChangeLog> = service('changeLog')

/** How many changes a tail keeps. */
export const ringSize = 8_192
