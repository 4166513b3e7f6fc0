import type { Awaitable } from '../../../kernel/index.ts'
import type { Principal } from '../../foundation/http/http.ts'
import type { VisibleChanges } from './visible-changes.ts'

/** A message to clients. */
export interface Message {
  /** A client that has received the message knows everything up to this position. */
  readonly position: number
  readonly bytes: Uint8Array
}

/** What clients follow, and how changes are written as messages. */
export interface Topic {
  /** Topics with the same key have the same messages for the same permissions. */
  readonly key: string
  /** The types that the topic covers. */
  readonly types: ReadonlySet<string>
  /** Whether the messages may differ between callers, even with the same role. */
  readonly isPersonal: boolean
  /** Whether a caller may follow the topic at present. */
  admits(principal: Principal): boolean
  /** Messages ordered by position, none after `position`; `restart` if single changes cannot be reported. */
  tell(
    changes: VisibleChanges,
    principal: Principal,
    position: number,
  ): Awaitable<readonly Message[] | 'restart'>
}
