import { isDeepStrictEqual } from 'node:util'
import type { Log } from '../../kernel/index.ts'
import type { Config, RejectedValue, RuntimeSettings, SettingSource } from './config.ts'
import { type Environment, envNameOf, type ReadSetting, type Setting } from './setting.ts'
import { describeAllowed, isAllowed } from './value.ts'

/** Values by the setting that they are for. */
export type Layer = ReadonlyMap<Setting<unknown>, unknown>

export interface LayersOptions {
  readonly settings: readonly Setting<unknown>[]
  readonly env: Layer
  readonly file: Layer
  readonly environment: Environment
  readonly workingDirectory: string
  readonly log: Log
}

export interface Layers {
  readonly config: Config
  readonly runtimeSettings: RuntimeSettings
}

/** The present state of one setting, kept resolved so that reading it is one look-up. */
interface Slot {
  value: unknown
  source: SettingSource
  readonly listeners: Set<(value: never) => void>
}

/** Puts the layers of the settings over one another; the one of the database is empty at first. */
export function createLayers(options: LayersOptions): Layers {
  const { environment, env, file } = options
  const slots = new Map(options.settings.map((setting) => [setting, emptySlot()]))
  const byKey = new Map(options.settings.map((setting) => [setting.key, setting]))
  let database: Layer = new Map()

  function slotOf(setting: Setting<unknown>): Slot {
    const slot = slots.get(setting)
    if (slot === undefined) throw new Error(`the setting ${setting.key} was not contributed to settings`)
    return slot
  }

  const get: ReadSetting = <T>(setting: Setting<T>) => slotOf(setting as Setting<unknown>).value as T

  function resolveSlots() {
    for (const [setting, slot] of slots) {
      const [source, value] = topmost(setting, { env, file, database })
      slot.source = source
      slot.value = value
    }
  }

  const check = (setting: Setting<unknown>, value: unknown) => reasonAgainst(setting, value, environment, get)

  function replaceDatabaseLayer(values: Readonly<Record<string, unknown>>): readonly RejectedValue[] {
    const accepted = new Map<Setting<unknown>, unknown>()
    const rejected: RejectedValue[] = []
    for (const [key, value] of Object.entries(values)) {
      const setting = byKey.get(key)
      const reason = setting === undefined ? 'there is no such setting' : refusal(setting, value, check)
      if (setting !== undefined && reason === undefined) accepted.set(setting, value)
      else rejected.push({ key, reason: reason ?? '' })
    }
    const before = new Map([...slots].map(([setting, slot]) => [setting, slot.value]))
    database = accepted
    resolveSlots()
    tellListeners(before)
    return rejected
  }

  function tellListeners(before: Layer) {
    for (const [setting, slot] of slots) {
      if (isDeepStrictEqual(before.get(setting), slot.value)) continue
      for (const listener of slot.listeners) callListener(setting, listener, slot.value)
    }
  }

  function callListener(setting: Setting<unknown>, listener: (value: never) => void, value: unknown) {
    try {
      listener(value as never)
    } catch (error) {
      options.log.error({ setting: setting.key, err: error }, `a listener to ${setting.key} failed`)
    }
  }

  resolveSlots()
  return {
    config: {
      environment,
      workingDirectory: options.workingDirectory,
      get,
      sourceOf: (setting) => slotOf(setting).source,
      envNameOf,
      onChange(setting, listener) {
        const { listeners } = slotOf(setting as Setting<unknown>)
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
    runtimeSettings: {
      settings: byKey,
      isLocked: (setting) => setting.tier !== 'runtime' || env.has(setting),
      check,
      replaceDatabaseLayer,
    },
  }
}

function emptySlot(): Slot {
  return { value: undefined, source: 'default', listeners: new Set() }
}

function topmost(
  setting: Setting<unknown>,
  { env, file, database }: Record<'env' | 'file' | 'database', Layer>,
): [SettingSource, unknown] {
  if (env.has(setting)) return ['env', env.get(setting)]
  if (file.has(setting)) return ['file', file.get(setting)]
  if (database.has(setting)) return ['database', database.get(setting)]
  return ['default', setting.default]
}

type Check = (setting: Setting<unknown>, value: unknown) => string | undefined

function refusal(setting: Setting<unknown>, value: unknown, check: Check): string | undefined {
  if (setting.tier !== 'runtime') return `is of the ${setting.tier} tier, which the database cannot set`
  return check(setting, value)
}

function reasonAgainst(
  setting: Setting<unknown>,
  value: unknown,
  environment: Environment,
  get: ReadSetting,
): string | undefined {
  if (!isAllowed(setting, value)) return `must be ${describeAllowed(setting)}`
  const problem = setting.check?.(value, environment, get)
  return problem?.severity === 'fatal' ? `${problem.message}: ${problem.remedy}` : undefined
}
