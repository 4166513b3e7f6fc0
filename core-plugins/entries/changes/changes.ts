import { type Awaitable, type ServiceToken, service } from '../../../kernel/index.ts'
import type { Transaction } from '../../foundation/database/database.ts'
import type { ContentEvent, EntryChangeKind, Image } from '../content/content.ts'
import type { ChangeActor } from './actor.ts'
import type { ReadRecord } from './read-record.ts'

export { actorOf, type ChangeActor } from './actor.ts'
export { ReadRecord, type TypeDependence } from './read-record.ts'

/**
 * What has happened: to an entry (see `EntryChangeKind`); `flip`: an entry has reached the time of its publication, and
 * nothing was written; `reset`: anything may be different.
 */
export type ChangeKind = EntryChangeKind | 'flip' | 'reset'

/**
 * The write of content that made a change. Only for those who see drafts of the type: who wrote is not for readers of
 * what was written.
 */
export interface ChangeOrigin {
  readonly operation: ContentEvent
  /** Undefined: a caller without credentials. */
  readonly by?: ChangeActor | undefined
  /** `updated_at` of what readers of drafts see afterwards; undefined for types without `timestamps`. */
  readonly version?: string | undefined
}

/** One change, as it was committed. */
export interface Change {
  readonly uid: string
  /** Its place in the log, unless it is too young to have one. */
  readonly position: number | undefined
  /** Singular name, or that of something else answers depend on, such as the search index; undefined: all types. */
  readonly type: string | undefined
  /** Undefined: any entry of the type. */
  readonly entryId: number | undefined
  readonly kind: ChangeKind
  readonly locale: string | undefined
  /** Whether everybody who may read the type could see the entry before, and after. */
  readonly wasPublic: boolean
  readonly isPublic: boolean
  /** Names of the fields whose values changed; undefined: any. */
  readonly fields: ReadonlySet<string> | undefined
  /**
   * The entry before the change: numbers, booleans, null, short texts, lists of ids. Null: there was none; undefined: not
   * known.
   */
  readonly before: Image | null | undefined
  /** The entry after it, in the same way. */
  readonly after: Image | null | undefined
  /** Undefined if it was no write of content: system types, lost references, `flip` and `reset`. */
  readonly origin: ChangeOrigin | undefined
  /** ISO 8601, the time of the write. */
  readonly at: string
}

/**
 * The changes that this process knows of, of all processes. Each gets the next generation when it is applied, own ones
 * before their write is acknowledged. The last `ringSize` are kept.
 */
export interface ChangeTail {
  /** Of the newest change that was applied; grows by one with each. */
  readonly generation: number
  /** The generation of the newest change of a type, or of all types. */
  generationOf(type: string): number
  /** The change with a generation; undefined if it is no longer kept. */
  at(generation: number): Change | undefined
  /** Up to here all numbered changes were applied. */
  readonly position: number
  /** Milliseconds (monotonic, `performance.now`) at which the newest complete look at the log began. */
  readonly checkedAtMs: number
  /** Looks at the log once more: sees every change that was committed before the call. */
  check(): Awaitable<void>
  /**
   * Undefined if the last look is at most `maxAgeMs` old; from two fifths of that on, the next one runs in the
   * background. Otherwise a promise of a look.
   */
  freshen(maxAgeMs: number): Awaitable<void> | undefined
  /** Whether the change with this uid was applied lately. */
  knows(uid: string): boolean
  /** Called with changes as they are applied; several at once in the order of the log. Returns the remover. */
  onApplied(listener: (changes: readonly Change[]) => void): () => void
}

/** What is noted besides the writes of entries. */
export interface NotedChange {
  readonly kind: ChangeKind
  readonly type?: string
  readonly entryId?: number
}

/** A stretch of the log. */
export interface ChangePage {
  readonly changes: readonly Change[]
  /** Whether more follow. */
  readonly hasMore: boolean
  /** The position of the last one, or where the stretch ends. */
  readonly position: number
}

/** Is told what the log gets, of all processes: each change once, in order. */
export interface ChangeFollower {
  /**
   * The next stretch of the log, which ends at a position: the first change after a pause by itself, then what was
   * committed within about 100 ms. The one after it is told when this has resolved.
   */
  changed(changes: readonly Change[], position: number): Awaitable<void>
  /** Changes up to a position could not be told one by one: anything may be different. */
  skipped(position: number): void
}

/** A follower's place in the log. */
export interface Following {
  /** All later changes are told. */
  readonly position: number
  /** Resolves when everything that was committed before the call has been told. */
  catchUp(): Promise<void>
  stop(): void
}

/** Everything that has changed, by whatever way in, across all processes. */
export interface ChangeLog {
  readonly tail: ChangeTail
  /** Names this log: positions belong to it. */
  readonly epoch: string
  /** Adds a change to the log, with the transaction. */
  note(change: NotedChange, tx: Transaction): void
  /** At most `limit` changes after a position. Undefined if some of those may be gone: the caller has to begin anew. */
  after(position: number, limit: number): Promise<ChangePage | undefined>
  /** The position after all changes that were committed before the call. */
  head(): Promise<number>
  /** Where the position in a text of `cursorOf` is; undefined if it belongs to another log or is none. */
  positionIn(cursor: string): number | undefined
  /** Tells what changes from now on. The log is read once for all followers of a process, and not without any. */
  follow(follower: ChangeFollower): Promise<Following>
  /** A position as clients keep it. */
  cursorOf(position: number): string
}

/** An answer, and up to where it is known to be right. */
export interface DatedReads {
  readonly reads: ReadRecord
  /** The generation of the change log with which it was last found to be right. */
  checkedAt: number
  /** When its first read began, in epoch milliseconds. */
  readonly readAtMs: number
}

/**
 * Why an answer that was just made must not be used again; `opaque`: it depends on what no change tells of; `overtaken`:
 * something changed meanwhile; `untimed`: not known how long it is right.
 */
export type Refusal = 'opaque' | 'overtaken' | 'untimed'

/** Tells whether answers are still right. */
export interface AnswerValidity {
  /** Tests an answer against the changes since its last test. */
  isRight(kept: DatedReads): boolean
  /** The same, but for entries that may have become public by themselves: what it shows is shown rightly still. */
  isUnchanged(kept: DatedReads): boolean
  /** The change that the last test failed by, if it was one. */
  readonly culprit: Change | undefined
  /** Why an answer that was just made may not be kept; `begun` is the generation before its first read. */
  refusal(reads: ReadRecord, begun: number, readAtMs: number): Refusal | undefined
  /**
   * When the next entry of these types becomes public without a write, in epoch milliseconds; undefined while that is
   * not known, which asking mends.
   */
  nextPublication(types: Iterable<string>): number | undefined
}

export const answerValidityService: ServiceToken<AnswerValidity> = service('answerValidity')

export const changeLogService: ServiceToken<ChangeLog> = service('changeLog')

/** How many changes a tail keeps. */
export const ringSize = 8_192
