import type { UsageKind } from '../../entries/usage-index/usage-index.ts'
import type { Principal } from '../../foundation/http/http.ts'
import { usagesTable } from './tables.ts'
import { keyOf, type Usage, type UsagePlaces } from './usage-places.ts'
import type { UsageStore } from './usage-store.ts'

/** Acts on behalf of the service, which sees everything. */
const itself: Principal = { kind: 'token', id: 0, name: 'usages', scopes: new Set(['admin:*']) }

/** The index of the places that refer to entries without a foreign key, over `svc_entry_usages`. */
export function entryIndex(places: UsagePlaces, store: UsageStore): UsageKind<Usage> {
  return {
    ...{ name: 'usages', table: usagesTable, itself, keyOf },
    fieldsOf: places.fieldsOf,
    placesIn: places.of,
    async insert(named, tx) {
      const rows = named.flatMap(({ places: usages, ...entry }) =>
        usages.map((usage) => ({ ...usage, ...entry })),
      )
      await store.insert(rows, tx)
    },
    fingerprint: { get: store.fingerprint, set: store.setFingerprint },
  }
}
