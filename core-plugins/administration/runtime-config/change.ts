import { isDeepStrictEqual } from 'node:util'
import { nearest } from '../../../kernel/index.ts'
import {
  envNameOf,
  type RejectedValue,
  type RuntimeSettings,
  type Setting,
} from '../../foundation/config/config.ts'
import { AppError, type ErrorDetail } from '../../foundation/http/http.ts'
import type { StoredValues } from './config-store.ts'
import type { SettingChange, SettingValues } from './runtime-config.ts'

/** Why a setting cannot be changed. */
export interface Refusal extends RejectedValue {
  readonly code: 'unknown' | 'locked' | 'reserved' | 'invalid'
}

/** The state that a change starts from, and what the caller may do. */
export interface ChangeDeps {
  readonly stored: StoredValues
  readonly runtimeSettings: RuntimeSettings
  readonly mayChangeReserved: boolean
}

/** Maximum length of a value, in characters of its JSON. */
const maxLength = 65_536

/** The stored values after a change. */
export function changed(stored: StoredValues, values: SettingValues): StoredValues {
  const after = new Map(stored)
  for (const [key, value] of Object.entries(values)) {
    if (value === null) after.delete(key)
    else after.set(key, value)
  }
  return after
}

/** All reasons why the stored values cannot be changed to `values`. */
export function refusalsOf(values: SettingValues, deps: ChangeDeps): Refusal[] {
  const { stored, runtimeSettings } = deps
  const keys = Object.keys(values)
  const refused = new Map(
    keys
      .map((key) => refusalOf(key, values[key], deps))
      .filter((refusal) => refusal !== undefined)
      .map((refusal) => [refusal.key, refusal]),
  )
  const rest = Object.fromEntries(Object.entries(values).filter(([key]) => !refused.has(key)))
  const rejectedBefore = new Set(rejectedKeys(stored, runtimeSettings))
  for (const { key, reason } of rejectedOf(changed(stored, rest), runtimeSettings)) {
    // Values that were invalid before are not the fault of this change.
    if (key in rest || !rejectedBefore.has(key)) refused.set(key, { key, reason, code: 'invalid' })
  }
  return [...refused.values()]
}

function refusalOf(key: string, value: unknown, deps: ChangeDeps): Refusal | undefined {
  const { runtimeSettings, stored, mayChangeReserved } = deps
  const setting = runtimeSettings.settings.get(key)
  if (setting === undefined) return { key, reason: unknownReason(key, runtimeSettings), code: 'unknown' }
  if (runtimeSettings.isLocked(setting)) {
    const reason =
      setting.tier === 'runtime'
        ? `is set by the environment variable ${envNameOf(setting)}; remove that and restart to change it here`
        : `is of the ${setting.tier} tier, which is fixed at the start`
    return { key, reason, code: 'locked' }
  }
  if (setting.isReserved && !mayChangeReserved && !isShownAlready(setting, value, stored)) {
    return { key, reason: 'says where secrets are sent; only a super-admin may change it', code: 'reserved' }
  }
  if (value !== null && JSON.stringify(value).length > maxLength) {
    return { key, reason: `must be at most ${maxLength} characters as JSON`, code: 'invalid' }
  }
  return undefined
}

/** Such values are ignored, so that settings can be sent back as they were read. */
function isShownAlready({ key, default: value }: Setting<unknown>, wanted: unknown, stored: StoredValues) {
  return isDeepStrictEqual(wanted ?? value, stored.get(key) ?? value)
}

function unknownReason(key: string, { settings }: RuntimeSettings): string {
  const runtimeKeys = [...settings.values()].filter(({ tier }) => tier === 'runtime').map(({ key }) => key)
  const meant = nearest(key, runtimeKeys)
  return meant === undefined ? 'is not a setting' : `is not a setting; did you mean ${meant}?`
}

function rejectedOf(values: StoredValues, runtimeSettings: RuntimeSettings): readonly RejectedValue[] {
  return runtimeSettings.rejectedOf(Object.fromEntries(values))
}

function rejectedKeys(values: StoredValues, runtimeSettings: RuntimeSettings): string[] {
  return rejectedOf(values, runtimeSettings).map(({ key }) => key)
}

/** The differences between two states of the rows. */
export function differences(before: StoredValues, after: StoredValues): SettingChange[] {
  const keys = new Set([...before.keys(), ...after.keys()])
  return [...keys]
    .map((key) => ({ key, before: before.get(key) ?? null, after: after.get(key) ?? null }))
    .filter((change) => !isDeepStrictEqual(change.before, change.after))
}

const maxDetails = 100

/**
 * @throws AppError with all refusals, if any: 403 naming the first reserved key, else 423 naming the first
 * locked key, else 400
 */
export function assertNone(refusals: readonly Refusal[]): void {
  if (refusals.length === 0) return
  const details: ErrorDetail[] = refusals
    .slice(0, maxDetails)
    .map(({ key, reason, code }) => ({ path: key, code, message: reason }))
  const reserved = refusals.find(({ code }) => code === 'reserved')
  if (reserved !== undefined) {
    throw AppError.forbidden(`${reserved.key} ${reserved.reason}`, { details })
  }
  const locked = refusals.find(({ code }) => code === 'locked')
  if (locked === undefined) throw AppError.invalid(details)
  throw new AppError('SETTING_LOCKED', `${locked.key} ${locked.reason}`, { details })
}
