import { isPromise, type Log } from '../../../kernel/index.ts'
import type { Change, ChangeTail } from '../../entries/changes/changes.ts'
import { AppError, clientOf } from '../../foundation/http/http.ts'
import type { Following } from './following.ts'
import { isKnown } from './told-changes.ts'

export interface WaitingParts {
  readonly tail: Pick<ChangeTail, 'onApplied' | 'check'>
  /** The maximum number of waiting requests in this process, and per address. */
  readonly limits: () => { readonly all: number; readonly ofAddress: number }
  readonly log: Log
}

/** Notices changes from its creation on. */
export interface Watch {
  /** Resolves with a change that may concern the caller, including earlier ones, after the timeout, or when waiting ends. */
  next(timeoutMs: number, signal: AbortSignal): Promise<void>
  end(): void
}

/** The waiting requests of this process. */
export interface Waiting {
  /** Reserves a place for a request of an address, until the returned function is called. @throws AppError 429, 503 */
  enter(address: string): () => void
  watch(following: Following): Watch
  readonly isStopped: boolean
  /** Ends all waiting permanently. */
  stop(): void
}

/** Processes that receive no signals check the log this often while requests wait. */
const lookEveryMs = 1_000

export function createWaiting(parts: WaitingParts): Waiting {
  const rooms = createRooms(parts.limits)
  const watches = createWatches(parts)
  let isStopped = false
  return {
    enter: rooms.enter,
    watch(following) {
      const watch = watches.add(following)
      if (isStopped) watch.wake()
      return watch
    },
    get isStopped() {
      return isStopped
    },
    stop() {
      isStopped = true
      watches.wakeAll()
    },
  }
}

function createRooms(limits: WaitingParts['limits']) {
  const byAddress = new Map<string, number>()
  let all = 0

  function leave(client: string): void {
    all -= 1
    const left = (byAddress.get(client) ?? 1) - 1
    if (left === 0) byAddress.delete(client)
    else byAddress.set(client, left)
  }

  return {
    enter(address: string): () => void {
      const client = clientOf(address)
      const own = byAddress.get(client) ?? 0
      const { all: most, ofAddress } = limits()
      const headers = { 'retry-after': '5' }
      if (all >= most) {
        const reason = 'too_many_streams'
        throw new AppError('UNAVAILABLE', 'too many requests wait for changes', { reason, headers })
      }
      if (own >= ofAddress) {
        const message = `${ofAddress} requests of this address wait for changes already`
        throw new AppError('RATE_LIMITED', message, { headers })
      }
      all += 1
      byAddress.set(client, own + 1)
      return () => leave(client)
    },
  }
}

interface WakeableWatch extends Watch {
  readonly following: Following
  wake(): void
}

/** Listens to the tail only while requests wait. */
function createWatches({ tail, log }: WaitingParts) {
  const watches = new Set<WakeableWatch>()
  let stopListening: (() => void) | undefined

  const onApplied = (changes: readonly Change[]) => {
    for (const watch of watches) if (changes.some((change) => concerns(change, watch.following))) watch.wake()
  }

  async function look(): Promise<void> {
    try {
      const looked = tail.check()
      if (isPromise(looked)) await looked
    } catch (error) {
      log.debug({ err: error }, 'the log could not be looked at; trying again')
    }
  }

  function listen(): () => void {
    const timer = setInterval(look, lookEveryMs)
    timer.unref()
    const remove = tail.onApplied(onApplied)
    return () => {
      clearInterval(timer)
      remove()
    }
  }

  return {
    add(following: Following): WakeableWatch {
      const watch = createWatch(following, () => {
        watches.delete(watch)
        if (watches.size > 0) return
        stopListening?.()
        stopListening = undefined
      })
      watches.add(watch)
      stopListening ??= listen()
      return watch
    },
    wakeAll() {
      for (const watch of watches) watch.wake()
    },
  }
}

function createWatch(following: Following, onEnd: () => void): WakeableWatch {
  let isAwake = false
  let resume: (() => void) | undefined
  return {
    following,
    end: onEnd,
    wake() {
      isAwake = true
      resume?.()
    },
    async next(timeoutMs, signal) {
      if (!isAwake && !signal.aborted && timeoutMs > 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timeoutMs)
          resume = () => {
            clearTimeout(timer)
            resolve()
          }
          signal.addEventListener('abort', resume, { once: true })
        })
        if (resume !== undefined) signal.removeEventListener('abort', resume)
      }
      resume = undefined
      isAwake = false
    },
  }
}

/** Whether a change concerns a caller. Hidden changes do not wake callers, so that not even their time is revealed. */
function concerns(change: Change, { types }: Following): boolean {
  if (change.type === undefined) return true
  const followed = types.get(change.type)
  if (followed === undefined || change.kind === 'draft') return false
  return change.kind === 'detach' || isKnown(change, followed)
}
