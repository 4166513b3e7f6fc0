import { LRUCache } from 'lru-cache'
import { type Awaitable, andThen, upTo } from '../../../kernel/index.ts'
import {
  type AnswerValidity,
  type Change,
  type ChangeLog,
  ReadRecord,
  type TypeDependence,
} from '../../entries/changes/changes.ts'
import { observeReads } from '../../entries/content/content.ts'
import {
  type AnswerFate,
  type AnswerInMaking,
  type AnswerKeeper,
  type AnswerLook,
  type HeaderLines,
  isNoneMatch,
  type KeptAnswer,
  type MadeAnswer,
  type RouteRequest,
  type TaggedAnswer,
} from '../../foundation/http/http.ts'
import type { Auditor } from './auditor.ts'
import { classOf, isStrict, maySeePositions } from './caller-class.ts'
import { canonicalQuery } from './canonical-query.ts'
import { Doorkeeper } from './doorkeeper.ts'
import { Flights, type Landing } from './flights.ts'
import type { KeptAnswers } from './kept-answers.ts'
import type { Outcomes } from './outcomes.ts'

export interface KeeperParts {
  readonly log: ChangeLog
  readonly answers: KeptAnswers
  readonly validity: AnswerValidity
  readonly outcomes: Outcomes
  readonly maxStalenessMs: () => number
  /** How long after the last check of the log responses may be used while the log cannot be read. */
  readonly staleIfDownMs: () => number
  readonly showsStatus: () => boolean
  /** Changes with permissions and settings. */
  readonly version: () => number
  readonly auditor: Auditor
}

const statusLines: Readonly<Record<AnswerFate, HeaderLines>> = {
  hit: ['cache-status', 'mortise; hit'],
  unvalidated: ['cache-status', 'mortise; hit; detail=unvalidated'],
  miss: ['cache-status', 'mortise; fwd=miss'],
}

/** Longer keys rarely repeat. */
const maxKeyLength = 4_096
/** How many times a request waits for another request's response that turns out too old, before it makes its own. */
const maxTurns = 3

/** Caches repeated responses, and uses them as long as no change invalidates them. */
export class Keeper implements AnswerKeeper {
  readonly #parts: KeeperParts
  readonly #doorkeeper = new Doorkeeper()
  readonly #flights = new Flights()
  /** The changes that recently invalidated responses, for `explain`. */
  readonly #outdated = new LRUCache<string, Change>(upTo(1_000))
  #positionLines: { readonly position: number; readonly lines: HeaderLines } | undefined

  constructor(parts: KeeperParts) {
    this.#parts = parts
  }

  find(request: RouteRequest): Awaitable<AnswerLook> {
    const key = this.#keyOf(request)
    if (key === undefined || key.length > maxKeyLength || this.#parts.auditor.isOwn(request)) return undefined
    return andThen(this.#freshen(request), () => this.#look(key, request, 0))
  }

  findUnvalidated(request: RouteRequest): KeptAnswer | undefined {
    const { answers, log, validity, outcomes, staleIfDownMs, maxStalenessMs } = this.#parts
    const isOld = performance.now() - log.tail.checkedAtMs > staleIfDownMs()
    if (isOld || maxStalenessMs() === 0 || request.principal.kind !== 'anonymous') return undefined
    if (this.#wantsNewer(request)) return undefined
    const key = this.#keyOf(request)
    const kept = key === undefined ? undefined : answers.get(key)
    // An outdated response may contain content that has been hidden since.
    if (kept === undefined || !validity.isUnchanged(kept)) return undefined
    outcomes.count('unvalidated')
    return kept.answer
  }

  headers(request: RouteRequest, fate: AnswerFate): HeaderLines {
    if (!this.#parts.showsStatus()) return []
    return maySeePositions(request.principal)
      ? [...statusLines[fate], ...this.#positionLinesNow()]
      : statusLines[fate]
  }

  #positionLinesNow(): HeaderLines {
    const { position } = this.#parts.log.tail
    if (this.#positionLines?.position !== position) {
      this.#positionLines = { position, lines: ['mortise-position', this.#parts.log.cursorOf(position)] }
    }
    return this.#positionLines.lines
  }

  /** What is cached for anonymous requests with a path and query. */
  explain(url: string) {
    const { answers, version } = this.#parts
    const [path = '', ...query] = url.split('?')
    const key = keyOf(version(), { principal: anonymous, method: 'GET', path, rawQuery: query.join('?') }, '')
    const kept = answers.get(key)
    const culprit = this.#outdated.get(key)
    return {
      kept: kept !== undefined,
      ...(kept && {
        bytes: kept.answer.size,
        age: Math.max(0, Date.now() - kept.readAtMs),
        types: [...kept.reads.types].map(([type, dependence]) => ({ type, ...explained(dependence) })),
      }),
      ...(culprit && { outdatedBy: shownChange(culprit) }),
    }
  }

  #keyOf(request: RouteRequest): string | undefined {
    const more = request.route.keptBy?.(request)
    return more === undefined ? undefined : keyOf(this.#parts.version(), request, more)
  }

  /** Makes sure that the log is known far enough; undefined if it already is. */
  #freshen(request: RouteRequest): Awaitable<void> | undefined {
    const { log, maxStalenessMs } = this.#parts
    const bound = maxStalenessMs()
    const { tail } = log
    if (bound === 0 || isStrict(request.principal)) return tail.check()
    return this.#wantsNewer(request) ? tail.check() : tail.freshen(bound)
  }

  #wantsNewer(request: RouteRequest): boolean {
    const wanted = request.header('mortise-at-least')
    return wanted !== undefined && !this.#hasReached(wanted)
  }

  #hasReached(cursor: string): boolean {
    const { log } = this.#parts
    const position = log.positionIn(cursor)
    return position !== undefined && position <= log.tail.position
  }

  #look(key: string, request: RouteRequest, turn: number): Awaitable<AnswerLook> {
    const { answers, validity, outcomes, auditor } = this.#parts
    const kept = answers.get(key)
    if (kept !== undefined) {
      if (validity.isRight(kept)) {
        outcomes.count('hit')
        auditor.see(request, kept)
        return { kept: kept.answer }
      }
      this.#drop(key)
    }
    const unchanged = kept === undefined ? this.#unchanged(key, request) : undefined
    if (unchanged !== undefined) {
      outcomes.count('unchanged')
      return { unchanged }
    }
    const flight = this.#flights.get(key)
    if (flight === undefined || turn === maxTurns) {
      const isKnown = kept !== undefined || this.#doorkeeper.hasSeen(key)
      return { making: this.#begin(key, request, isKnown, flight !== undefined) }
    }
    // The response may be older than this caller must see, so it is validated like any cached response.
    return flight
      .wait()
      .then((landing) =>
        andThen(this.#freshen(request), () => this.#look(key, request, turnAfter(landing, turn))),
      )
  }

  /** The 304 response if the caller's copy is still valid. Callers with another copy need the whole response. */
  #unchanged(key: string, request: RouteRequest): TaggedAnswer | undefined {
    const known = request.header('if-none-match')
    if (known === undefined) return undefined
    const tagged = this.#parts.answers.tagged(key)
    if (tagged === undefined || !isNoneMatch(known, tagged.answer.tag)) return undefined
    if (this.#parts.validity.isRight(tagged)) return tagged.answer
    this.#drop(key)
    return undefined
  }

  /** Removes a response that was found to be outdated. */
  #drop(key: string): void {
    const { answers, validity, outcomes } = this.#parts
    outcomes.count('outdated')
    answers.delete(key)
    if (validity.culprit !== undefined) this.#outdated.set(key, validity.culprit)
  }

  #begin(key: string, request: RouteRequest, isAskedAgain: boolean, isBeside: boolean): AnswerInMaking {
    const { log, validity, answers, outcomes } = this.#parts
    const reads = new ReadRecord()
    const readAtMs = Date.now()
    const begun = log.tail.generation
    observeReads(request, reads)
    const flight = !isBeside && isShared(request) ? this.#flights.takeOff(key) : undefined
    return {
      keep: (made: MadeAnswer) => {
        const isWanted = isAskedAgain || flight?.isAwaited === true
        const refused = validity.refusal(reads, begun, readAtMs)
        const outcome = refused ?? (isWanted ? (answers.mayHold(made.size) ? 'kept' : 'large') : 'new')
        outcomes.count(outcome)
        const dated = { reads, checkedAt: log.tail.generation, readAtMs }
        if (outcome === 'kept') answers.set(key, { answer: made.copy(), ...dated })
        else if (outcome === 'large' || (outcome === 'new' && answers.mayNote(readAtMs))) {
          const tagged = made.copyWithoutBytes()
          if (tagged !== undefined) answers.setTagged(key, { answer: tagged, ...dated }, !isWanted)
        }
        const landing = outcome === 'opaque' || outcome === 'large' ? 'alone' : 'look'
        if (flight !== undefined) this.#flights.land(flight, landing)
      },
      release: () => {
        outcomes.count('failed')
        if (flight !== undefined) this.#flights.land(flight, request.signal.aborted ? 'left' : 'look')
      },
    }
  }
}

/** If the request that makes the response has gone, the next waiting one makes it; after a number of turns, all stop waiting. */
function turnAfter(landing: Landing, turn: number): number {
  if (landing === 'left') return turn
  return landing === 'alone' ? maxTurns : turn + 1
}

const anonymous = { kind: 'anonymous' } as const

type Asked = Pick<RouteRequest, 'principal' | 'method' | 'path' | 'rawQuery'>

function keyOf(version: number, { principal, method, path, rawQuery }: Asked, more: string): string {
  return `${version} ${classOf(principal)} ${method} ${path}?${canonicalQuery(rawQuery)} ${more}`
}

function explained({ shown, selections, fields, isWhole, hides }: TypeDependence) {
  return {
    entries: new Set(shown.flatMap(({ ids }) => [...ids])).size,
    selections: selections.length,
    fields: [...(fields ?? [])],
    any: isWhole,
    hidden: hides !== undefined,
  }
}

function shownChange({ type = '*', entryId, kind }: Change) {
  return { type, kind, ...(entryId !== undefined && { id: entryId }) }
}

/** Only methods without a body can be shared, since others may be writes. */
function isShared({ method }: RouteRequest): boolean {
  return method === 'GET'
}
