import type { Recipient } from '../../foundation/database/database.ts'

/** What is known of an entry: values by field; those that are missing are not known. */
export type Image = Readonly<Record<string, unknown>>

/** Which entries of a type a list, a total or an inverse side is made of. */
export interface ReadSelection {
  /** Singular name. */
  readonly type: string
  /** The fields that decide; undefined: any may. */
  readonly fields: ReadonlySet<string> | undefined
  /** Whether an entry with these values belongs to it at a time (ISO 8601); undefined: they do not tell. */
  test(image: Image, now: string): boolean | undefined
  /** The fields that decide about the order. */
  readonly sortedBy: ReadonlySet<string>
}

/** A type some of whose entries are hidden from the caller. */
export interface HiddenType {
  /** Singular name. */
  readonly type: string
  /** Whether those that are not published are among them, and not only those in the trash. */
  readonly isPublicOnly: boolean
}

/**
 * Learns what an answer was made of, so that whoever keeps it can tell which changes make it wrong. Too much is never
 * wrong, too little is.
 */
export interface ReadObserver {
  /** The answer shows these entries with these fields (undefined: all). */
  shows(type: string, ids: readonly number[], fields: ReadonlySet<string> | undefined): void
  /**
   * It depends on which entries of the type belong to a selection, and in which order. Most answers are not kept, so the
   * selection is made when it is asked for.
   */
  selects(type: string, make: () => ReadSelection): void
  /** Ids of entries of these types are left out while those are hidden. */
  hides(types: readonly HiddenType[]): void
  /** It depends on these fields (undefined: all) of any entry of a type. */
  dependsOn(type: string, fields?: ReadonlySet<string>): void
  /** Entries of these types become visible when the time of their publication comes. */
  waitsFor(types: readonly string[]): void
  /** It depends on something that no change tells of. */
  isOpaque(reason: string): void
}

/** A property, because each read that memory does not answer has an observer, and a WeakMap is dear to collect. */
const observer = Symbol('read observer')

interface Observed extends Recipient {
  [observer]?: ReadObserver
}

/**
 * Reads that are made for the recipient, such as a request, are told to the observer from now on, and to those who
 * observe them already.
 */
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

/** Who observes the reads for a recipient, for reads that do not go through the content service. */
export function observerOf(recipient: Recipient | undefined): ReadObserver | undefined {
  return (recipient as Observed | undefined)?.[observer]
}
