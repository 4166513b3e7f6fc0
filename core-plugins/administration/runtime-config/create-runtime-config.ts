import type { PluginContext } from '../../../kernel/index.ts'
import type { Auth } from '../../accounts/auth/auth.ts'
import type { Audit, AuditRecord } from '../../background/audit/audit.ts'
import type { RuntimeSettings } from '../../foundation/config/config.ts'
import type { Database, Transaction } from '../../foundation/database/database.ts'
import type { Principal } from '../../foundation/http/http.ts'
import type { Signals } from '../../foundation/signals/signals.ts'
import { assertNone, type ChangeDeps, changed, differences, refusalsOf } from './change.ts'
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
  const { database, store } = parts
  return {
    stored: async (queries) => Object.fromEntries(await store.read(queries)),
    async change(values, by, open) {
      if (open !== undefined) {
        const changes = await changeWithin(values, by, open, parts)
        open.afterCommit(() => announce(changes, by.principal, parts))
        return changes
      }
      const changes = await database.transaction((tx) => changeWithin(values, by, tx, parts))
      await announce(changes, by.principal, parts)
      return changes
    },
    async import(values, by) {
      const { result, changes } = await database.transaction((tx) => importWithin(values, by, tx, parts))
      await announce(changes, by.principal, parts)
      return result
    },
    async replaceAll(values, by, tx) {
      const { result, changes } = await replaceWithin(values, by, tx, parts)
      tx.afterCommit(() => announce(changes, by.principal, parts))
      return result
    },
    async reload() {
      await database.transaction((tx) => store.begin(tx))
      await announce([], null, parts)
    },
  }
}

/** Lets one change at a time through, and returns what is stored before it. */
async function beginChange(tx: Transaction, { store }: RuntimeConfigParts): Promise<StoredValues> {
  await store.begin(tx)
  return store.read(tx)
}

/** Changes all settings or none. */
async function changeWithin(
  values: SettingValues,
  by: ChangedBy,
  tx: Transaction,
  parts: RuntimeConfigParts,
): Promise<readonly SettingChange[]> {
  const before = await beginChange(tx, parts)
  assertNone(refusalsOf(values, changeDepsOf(by, before, parts)))
  return write({ before, after: changed(before, values) }, by, tx, parts)
}

interface Imported {
  readonly result: ImportResult
  readonly changes: readonly SettingChange[]
}

/** Accepts what is valid, in addition to the stored values. */
async function importWithin(
  values: SettingValues,
  by: ChangedBy,
  tx: Transaction,
  parts: RuntimeConfigParts,
): Promise<Imported> {
  const before = await beginChange(tx, parts)
  const { taken, skipped } = sieve(values, changeDepsOf(by, before, parts))
  const after = changed(before, withoutDefaults(taken, before, parts))
  const changes = await write({ before, after }, by, tx, parts)
  return { result: { applied: Object.keys(taken), skipped }, changes }
}

/** Accepts what is valid, in place of the stored values. */
async function replaceWithin(
  values: SettingValues,
  by: ChangedBy,
  tx: Transaction,
  parts: RuntimeConfigParts,
): Promise<Imported> {
  const before = await beginChange(tx, parts)
  const kept = keptFrom(before, by, parts)
  const { taken, skipped } = sieve(values, changeDepsOf(by, kept, parts))
  const changes = await write({ before, after: changed(kept, taken) }, by, tx, parts)
  return { result: { applied: Object.keys(taken), skipped }, changes }
}

function changeDepsOf(
  { principal }: ChangedBy,
  stored: StoredValues,
  { runtimeSettings, auth }: RuntimeConfigParts,
): ChangeDeps {
  const mayChangeReserved = principal === null || auth.isSuperAdmin(principal)
  return { stored, runtimeSettings, mayChangeReserved }
}

/** The stored values that a restore does not replace: reserved settings, unless the caller may change those. */
function keptFrom(before: StoredValues, by: ChangedBy, parts: RuntimeConfigParts): StoredValues {
  if (changeDepsOf(by, before, parts).mayChangeReserved) return new Map()
  const { settings } = parts.runtimeSettings
  return new Map([...before].filter(([key]) => settings.get(key)?.isReserved))
}

/** A value that is in effect anyway is not stored, so that later changes of the default take effect. */
function withoutDefaults(
  values: SettingValues,
  before: StoredValues,
  { runtimeSettings: { settings } }: RuntimeConfigParts,
): SettingValues {
  const isPlain = ([key, value]: [string, unknown]) =>
    !before.has(key) && JSON.stringify(value) === JSON.stringify(settings.get(key)?.default)
  return Object.fromEntries(Object.entries(values).filter((entry) => !isPlain(entry)))
}

/** Changes the rows from one state to another, within a transaction that has begun. */
async function write(
  { before, after }: { readonly before: StoredValues; readonly after: StoredValues },
  by: ChangedBy,
  tx: Transaction,
  { store, audit }: RuntimeConfigParts,
): Promise<readonly SettingChange[]> {
  const changes = differences(before, after)
  const updatedBy = nameOf(by.principal)
  for (const { key } of changes) {
    const value = { key, value: after.get(key), updatedBy }
    if (!after.has(key)) await store.remove(key, tx)
    else if (before.has(key)) await store.update(value, tx)
    else await store.insert(value, tx)
  }
  if (changes.length > 0) await audit?.record(recordOf(changes, by), tx)
  return changes
}

function recordOf(changes: readonly SettingChange[], { principal, ip }: ChangedBy): AuditRecord {
  return {
    action: 'config.update',
    principal,
    resource: 'config',
    details: { keys: changes.map(({ key }) => key) },
    ...(ip === undefined ? {} : { ip }),
  }
}

async function announce(
  changes: readonly SettingChange[],
  principal: Principal | null,
  { follower, signals, emit }: RuntimeConfigParts,
): Promise<void> {
  await follower.refresh()
  signals?.send(changedTopic)
  if (changes.length > 0) await emit(configChanged, { changes, principal })
}

/** Splits values into valid ones and the rest, each with the reason. */
function sieve(values: SettingValues, deps: ChangeDeps) {
  let taken = values
  let skipped: { key: string; reason: string }[] = []
  for (;;) {
    const refused = refusalsOf(taken, deps).filter(({ key }) => key in taken)
    if (refused.length === 0) return { taken, skipped }
    skipped = [...skipped, ...refused.map(({ key, reason }) => ({ key, reason }))]
    const keys = new Set(refused.map(({ key }) => key))
    taken = Object.fromEntries(Object.entries(taken).filter(([key]) => !keys.has(key)))
  }
}

function nameOf(principal: Principal | null): string | null {
  return principal === null || principal.kind === 'anonymous' ? null : `${principal.kind}:${principal.id}`
}
