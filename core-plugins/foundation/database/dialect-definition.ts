import type { ServerOptions } from './connections/server-options.ts'
import type { DialectName } from './dialect-name.ts'
import type { Driver } from './driver.ts'
import type { Snapshot, SnapshotSource } from './snapshot.ts'

/** How a driver connects to its database; see the settings of the same names. */
export interface DriverOptions extends Omit<ServerOptions, 'url'> {
  /** The result of `targetOf` for DATABASE_URL. */
  readonly target: string
  /** The directory that relative file paths are resolved against. */
  readonly workingDirectory: string
}

/**
 * What is known about a database before it is opened; everything else comes from its driver. A definition imports its
 * driver only on demand, since loading the drivers of other databases would waste time and memory.
 */
export interface DialectDefinition<Name extends DialectName = DialectName> {
  readonly name: Name
  /** The common names of the products that use the dialect. */
  readonly products: readonly string[]
  readonly isForDevelopment: boolean
  /** The schemes that DATABASE_URL may begin with, before the colon. */
  readonly schemes: readonly string[]
  /** An example DATABASE_URL, for messages. */
  readonly exampleUrl: string
  /** Parses the part after the colon into the driver's target; returns undefined if it is malformed. */
  targetOf(address: string): string | undefined
  /** @throws DatabaseError */
  open(options: DriverOptions): Promise<Driver>
  /** See `openSnapshot`. @throws DatabaseError */
  openSnapshot(source: SnapshotSource): Promise<Snapshot>
}
