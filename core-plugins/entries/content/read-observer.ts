import type { Recipient } from '../../foundation/database/database.ts'

/** The known values of an entry by field; missing fields are unknown. */
export type Image = Readonly<Record<string, unknown>>

/** Which entries of a type a list, a total or an inverse side consists of. */
export interface ReadSelection {
  /** Singular name. */
  readonly type: string
  /** The fields that decide whether an entry is selected; undefined: any may. */
  readonly fields: ReadonlySet<string> | undefined
  /** Whether an entry with these values is selected at a time (ISO 8601); undefined if the values are not enough to know. */
  test(image: Image, now: string): boolean | undefined
  /** The fields that decide the order. */
  readonly sortedBy: ReadonlySet<string>
}

/** A type some of whose entries are hidden from the caller. */
export interface HiddenType {
  /** Singular name. */
  readonly type: string
  /** Whether unpublished entries are hidden too, not only those in the trash. */
  readonly isPublicOnly: boolean
}

/**
 * Records what an answer depends on, so that a cache can tell which changes invalidate it. Recording too much is safe, too little
 * is not.
 */
export interface ReadObserver {
  /** The answer shows these fields (undefined: all) of these entries. */
  shows(type: string, ids: readonly number[], fields: ReadonlySet<string> | undefined): void
  /**
   * It depends on which entries of the type are selected, and on their order. `make` creates the selection on demand, since most
   * answers are not cached.
   */
  selects(type: string, make: () => ReadSelection): void
  /** The answer omits ids of entries of these types while the entries are hidden. */
  hides(types: readonly HiddenType[]): void
  /** The answer depends on these fields (undefined: all) of any entry of a type. */
  dependsOn(type: string, fields?: ReadonlySet<string>): void
  /** Entries of these types become visible when the time of their publication comes. */
  waitsFor(types: readonly string[]): void
  /** It depends on something that the change log does not record. */
  isOpaque(reason: string): void
}

/**
 * A property instead of a WeakMap, which is expensive for the garbage collector: every read that the cache does not answer has an
 * observer.
 */
const observer = Symbol('read observer')

interface Observed extends Recipient {
  [observer]?: ReadObserver
}

/** From now on, reads for the recipient (such as a request) are reported to the observer as well. */
export function observeReads(recipient: Recipient, added: ReadObserver): void {
  const observed: Observed = recipient
  const first = observed[observer]
  observed[observer] = first === undefined ? added : both(first, added)
}

function both(first: ReadObserver, second: ReadObserver): ReadObserver {
  const tell =
    <Name extends keyof ReadObserver>(name: Name) =>
    (...what: Parameters<ReadObserver[Name]>) => {
      for (const observer of [first, second]) (observer[name] as (...what: unknown[]) => void)(...what)
    }
  return {
    shows: tell('shows'),
    selects: tell('selects'),
    hides: tell('hides'),
    dependsOn: tell('dependsOn'),
    waitsFor: tell('waitsFor'),
    isOpaque: tell('isOpaque'),
  }
}

/** The observer of the reads for a recipient, for reads that bypass the content service. */
export function observerOf(recipient: Recipient | undefined): ReadObserver | undefined {
  return (recipient as Observed | undefined)?.[observer]
}
