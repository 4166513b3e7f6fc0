import type { Awaitable } from '../../../kernel/index.ts'
import { type AnswerValidity, type ChangeLog, ReadRecord } from '../../entries/changes/changes.ts'
import { observeReads } from '../../entries/content/content.ts'
import type { AnswerLabel, AnswerLabeller, HeaderLines, RouteRequest } from '../../foundation/http/http.ts'
import type { Schemas } from '../../foundation/schemas/schemas.ts'
import type { Purger } from './cdn.ts'
import { browserControl, edgeControl, hasPolicies, limited, type Policy, policyOf } from './policy.ts'
import type { Tags } from './tags.ts'

export interface LabellerParts {
  readonly log: Pick<ChangeLog, 'tail'>
  readonly validity: AnswerValidity
  readonly schemas: Schemas
  readonly tags: Tags
  readonly purger: Purger
}

/** The caching data of a response. */
interface Known {
  readonly policy: Policy
  /** Types whose entries may become public at a scheduled time. */
  readonly timed: readonly string[]
  readonly isOpaque: boolean
  /** Undefined if the response must not be stored. */
  readonly tagged: HeaderLines | undefined
}

const nothing: HeaderLines = []
const personal: HeaderLines = ['cache-control', 'private, no-cache']

/** Adds headers that say how long browsers and the CDN may cache a response, and which tags it has. */
export class Labeller implements AnswerLabeller {
  readonly #parts: LabellerParts
  readonly #none: HeaderLines
  #hasPolicies = false
  #isForCdn = false

  constructor(parts: LabellerParts) {
    this.#parts = parts
    this.#none = ['cache-control', 'no-store', parts.purger.policyHeader, 'no-store']
  }

  /** To be called once the types are known; checks whether any has a policy. */
  start(): void {
    this.#hasPolicies = hasPolicies(this.#parts.schemas)
    this.#isForCdn = hasPolicies(this.#parts.schemas, true)
  }

  get failed(): HeaderLines {
    return this.#hasPolicies ? this.#none : nothing
  }

  /**
   * Makes sure that the response is not behind the log: a CDN would cache an outdated one for the whole time of the policy,
   * since the purge for the change has already happened.
   */
  prepare({ principal }: RouteRequest): Awaitable<void> {
    if (this.#isForCdn && principal.kind === 'anonymous') return this.#parts.log.tail.check()
  }

  label(request: RouteRequest): AnswerLabel | undefined {
    if (!this.#hasPolicies) return undefined
    const { log } = this.#parts
    let reads: ReadRecord | undefined = new ReadRecord()
    const begun = log.tail.generation
    const readAtMs = Date.now()
    observeReads(request, reads)
    const isPublic = request.principal.kind === 'anonymous'
    let known: Known | undefined
    return {
      lines: () => {
        if (reads !== undefined) known = this.#know(reads, begun, readAtMs)
        // Released, since the response object may be kept for long.
        reads = undefined
        return known === undefined ? nothing : this.#lines(known, isPublic)
      },
    }
  }

  /** Undefined: no policy applies. */
  #know(reads: ReadRecord, begun: number, readAtMs: number): Known | undefined {
    const { schemas, validity } = this.#parts
    const policy = policyOf(new Set([...reads.types.keys(), ...reads.timed]), schemas)
    if (policy === undefined) return undefined
    const isRefused = validity.refusal(reads, begun, readAtMs) !== undefined
    const tagged = isRefused ? undefined : this.#tagged(reads)
    return { policy, timed: [...reads.timed], isOpaque: reads.opaque !== undefined, tagged }
  }

  #lines({ policy, timed, isOpaque, tagged }: Known, isPublic: boolean): HeaderLines {
    if (!isPublic && !isOpaque) return personal
    const next = this.#parts.validity.nextPublication(timed)
    if (tagged === undefined || next === undefined) return this.#none
    const told = limited(policy, Math.max(0, Math.floor((next - Date.now()) / 1000)))
    const edge = [this.#parts.purger.policyHeader, edgeControl(told)]
    return ['cache-control', browserControl(told), ...edge, ...tagged]
  }

  #tagged(reads: ReadRecord): HeaderLines | undefined {
    const { tags, purger } = this.#parts
    const told = tags.ofReads(reads)?.join(purger.tagSeparator)
    return told === undefined ? undefined : purger.tagHeaders.flatMap((name) => [name, told])
  }
}
