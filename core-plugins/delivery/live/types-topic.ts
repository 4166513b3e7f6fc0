import { type Awaitable, andThen } from '../../../kernel/index.ts'
import { type Principal, serverSentEvent } from '../../foundation/http/http.ts'
import type { Message, Topic } from './topic.ts'
import type { VisibleChanges } from './visible-changes.ts'

/** The topic of event streams: which of the given types, and which of their entries, have changed. */
export class TypesTopic implements Topic {
  readonly key: string
  readonly types: ReadonlySet<string>
  readonly isPersonal: boolean
  readonly #cursorOf: (position: number) => string

  constructor(types: ReadonlySet<string>, isPersonal: boolean, cursorOf: (position: number) => string) {
    this.key = [...types].join()
    this.types = types
    this.isPersonal = isPersonal
    this.#cursorOf = cursorOf
  }

  /** Always true: callers who may read none of the types get no messages until they may again. */
  admits(): boolean {
    return true
  }

  tell(changes: VisibleChanges, principal: Principal, position: number): Awaitable<readonly Message[]> {
    return andThen(changes.for(principal, this.types), (news) => {
      if (news === undefined) return []
      const id = this.#cursorOf(position)
      const bytes = serverSentEvent({ event: 'change', id, data: { position: id, ...news } })
      return [{ bytes, position }]
    })
  }
}
