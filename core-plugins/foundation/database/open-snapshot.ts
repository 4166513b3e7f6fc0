import { dialects } from './dialects/dialects.ts'
import type { Snapshot, SnapshotSource } from './snapshot.ts'

/**
 * Opens a snapshot on a connection of its own, on the thread that calls it.
 * @throws DatabaseError
 */
export function openSnapshot(source: SnapshotSource): Promise<Snapshot> {
  return dialects[source.dialect].openSnapshot(source)
}
