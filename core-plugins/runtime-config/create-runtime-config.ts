import type { PluginContext } from '../../kernel/index.ts'
import type { Audit } from '../audit/audit.ts'
import type { Auth } from '../auth/auth.ts'
import type { RuntimeSettings } from '../config/config.ts'
import type { Database, Transaction } from '../database/database.ts'
import type { Principal } from '../http/http.ts'
import type { Signals } from '../signals/signals.ts'
import { type ChangeScope, changed, differences, expectNone, refusalsOf } from './change.ts'
import type { ConfigStore, StoredValues } from './config-store.ts'
import { changedTopic, type Follower } from './follow.ts'
import {
  type ChangedBy,
  configChanged,
  type ImportResult,
  type RuntimeConfig,
  type SettingChange,
  type SettingValues,
} from './runtime-config.ts'

export interface RuntimeConfigParts {
  readonly database: Database
  readonly store: ConfigStore
  readonly follower: Follower
  readonly runtimeSettings: RuntimeSettings
  readonly signals: Signals | undefined
  readonly audit: Audit | undefined
  readonly auth: Auth
  readonly emit: PluginContext['emit']
}

export function createRuntimeConfig(parts: RuntimeConfigParts): RuntimeConfig {
  const { database, store, follower, runtimeSettings, signals, audit, auth, emit } = parts

  function scopeOf({ principal }: ChangedBy, stored: StoredValues): ChangeScope {
    const mayChangeReserved = principal === null || auth.isSuperAdmin(principal)
    return { stored, runtimeSettings, mayChangeReserved }
  }

  /** What of the rows stays whatever a backup holds. */
  function keptFrom(before: StoredValues, by: ChangedBy): StoredValues {
    if (scopeOf(by, before).mayChangeReserved) return new Map()
    return new Map([...before].filter(([key]) => runtimeSettings.settings.get(key)?.isReserved))
  }

  async function announce(changes: readonly SettingChange[], principal: Principal | null): Promise<void> {
    await follower.refresh()
    signals?.send(changedTopic)
    if (changes.length > 0) await emit(configChanged, { changes, principal })
  }

  /** Brings the rows from one state to another, within a transaction that has begun. */
  async function write(before: StoredValues, after: StoredValues, by: ChangedBy, tx: Transaction) {
    const changes = differences(before, after)
    const updatedBy = nameOf(by.principal)
    for (const { key } of changes) {
      const value = { key, value: after.get(key), updatedBy }
      if (!after.has(key)) await store.remove(key, tx)
      else if (before.has(key)) await store.update(value, tx)
      else await store.insert(value, tx)
    }
    if (changes.length > 0) await record(changes, by, tx)
    return changes
  }

  async function record(changes: readonly SettingChange[], { principal, ip }: ChangedBy, tx: Transaction) {
    const details = { keys: changes.map(({ key }) => key) }
    await audit?.record(
      {
        action: 'config.update',
        principal,
        resource: 'config',
        details,
        ...(ip === undefined ? {} : { ip }),
      },
      tx,
    )
  }

  async function change(values: SettingValues, by: ChangedBy): Promise<readonly SettingChange[]> {
    const changes = await database.transaction(async (tx) => {
      await store.begin(tx)
      const before = await store.read(tx)
      expectNone(refusalsOf(values, scopeOf(by, before)))
      return write(before, changed(before, values), by, tx)
    })
    await announce(changes, by.principal)
    return changes
  }

  async function importWithin(
    values: SettingValues,
    by: ChangedBy,
    tx: Transaction,
  ): Promise<{ result: ImportResult; changes: readonly SettingChange[] }> {
    await store.begin(tx)
    const before = await store.read(tx)
    const { taken, skipped } = sieve(values, scopeOf(by, before))
    const changes = await write(before, changed(before, withoutDefaults(taken, before)), by, tx)
    return { result: { applied: Object.keys(taken), skipped }, changes }
  }

  /** A value that shows by itself is not pinned, so that a new default will show, too. */
  function withoutDefaults(values: SettingValues, before: StoredValues): SettingValues {
    const isPlain = ([key, value]: [string, unknown]) =>
      !before.has(key) && JSON.stringify(value) === JSON.stringify(runtimeSettings.settings.get(key)?.default)
    return Object.fromEntries(Object.entries(values).filter((entry) => !isPlain(entry)))
  }

  return {
    stored: async (queries) => Object.fromEntries(await store.read(queries)),
    change,
    async import(values, by) {
      const { result, changes } = await database.transaction((tx) => importWithin(values, by, tx))
      await announce(changes, by.principal)
      return result
    },
    async replaceAll(values, by, tx) {
      await store.begin(tx)
      const before = await store.read(tx)
      const kept = keptFrom(before, by)
      const { taken, skipped } = sieve(values, scopeOf(by, kept))
      const changes = await write(before, changed(kept, taken), by, tx)
      tx.afterCommit(() => announce(changes, by.principal))
      return { applied: Object.keys(taken), skipped }
    },
    async reload() {
      await database.transaction((tx) => store.begin(tx))
      await announce([], null)
    },
  }
}

/** Parts values into those that can be taken and the rest, each with the reason. */
function sieve(values: SettingValues, scope: ChangeScope) {
  let taken = values
  let skipped: { key: string; reason: string }[] = []
  for (;;) {
    const refused = refusalsOf(taken, scope).filter(({ key }) => key in taken)
    if (refused.length === 0) return { taken, skipped }
    skipped = [...skipped, ...refused.map(({ key, reason }) => ({ key, reason }))]
    const keys = new Set(refused.map(({ key }) => key))
    taken = Object.fromEntries(Object.entries(taken).filter(([key]) => !keys.has(key)))
  }
}

function nameOf(principal: Principal | null): string | null {
  return principal === null || principal.kind === 'anonymous' ? null : `${principal.kind}:${principal.id}`
}
