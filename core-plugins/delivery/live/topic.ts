import type { Awaitable } from '../../../kernel/index.ts'
import type { Principal } from '../../foundation/http/http.ts'
import type { VisibleChanges } from './visible-changes.ts'

/** A message to clients. */
export interface Message {
  /** A client that has received it knows everything up to this position. */
  readonly position: number
  readonly bytes: Uint8Array
}

/** What clients follow, and how it is written as messages. */
export interface Topic {
  /** Topics with the same key tell the same to all who may see the same. */
  readonly key: string
  /** The types that it is about. */
  readonly types: ReadonlySet<string>
  /** Whether each person may see something else of it, even where their role is the same. */
  readonly isPersonal: boolean
  /** Whether a caller may follow it at present. */
  admits(principal: Principal): boolean
  /** In the order of positions, none after `position`; `restart` where changes cannot be told one by one. */
  tell(
    changes: VisibleChanges,
    principal: Principal,
    position: number,
  ): Awaitable<readonly Message[] | 'restart'>
}
