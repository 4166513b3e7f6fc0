import { AppError } from '../../foundation/http/http.ts'
import type { EventStream } from './event-stream.ts'

/** The maximum number of streams per admin user in a process: visible tabs on several machines. */
export const maxStreamsOfUser = 12
/** The maximum number of streams per process. */
export const maxStreams = 2_000

/** The open streams of this process. */
export interface Streams {
  readonly size: number
  all(): readonly EventStream[]
  /** @throws AppError 429 if the caller has too many, 503 if the process has too many */
  assertRoom(userId: number): void
  add(stream: EventStream): void
  /** False if the stream was not registered. */
  remove(stream: EventStream): boolean
}

export function createStreams(): Streams {
  const open = new Set<EventStream>()
  return {
    get size() {
      return open.size
    },
    all: () => [...open],
    assertRoom(userId) {
      if (open.size >= maxStreams) {
        throw new AppError('UNAVAILABLE', 'there are too many open streams', {
          reason: 'too_many_streams',
          headers: { 'retry-after': '10' },
        })
      }
      const own = [...open].filter(({ principal }) => principal.id === userId)
      if (own.length >= maxStreamsOfUser) {
        throw new AppError('RATE_LIMITED', `you have ${maxStreamsOfUser} open streams already`, {
          headers: { 'retry-after': '10' },
        })
      }
    },
    add: (stream) => void open.add(stream),
    remove: (stream) => open.delete(stream),
  }
}
