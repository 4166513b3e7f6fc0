import { isDeepStrictEqual } from 'node:util'
import type { Log } from '../../../kernel/index.ts'
import type { Config, SettingSource } from './config-service.ts'
import { ownProblem } from './own-check.ts'
import type { RejectedValue, RuntimeSettings } from './runtime-settings.ts'
import { type Environment, envNameOf, type ReadSetting, type Setting } from './setting.ts'
import { describeAllowed, isAllowed } from './value.ts'

/** Values by setting. */
export type Layer = ReadonlyMap<Setting<unknown>, unknown>

type Values = Readonly<Record<string, unknown>>

export interface LayersOptions {
  readonly settings: readonly Setting<unknown>[]
  readonly env: Layer
  readonly file: Layer
  readonly environment: Environment
  readonly workingDirectory: string
  readonly log: Log
}

/** The current state of one setting, kept resolved so that reading it is a single lookup. */
interface Slot {
  value: unknown
  source: SettingSource
  readonly listeners: Set<(value: never) => void>
}

/** The layers of the settings, in order of priority; the database layer is empty at first. */
export class Layers {
  readonly config: Config
  readonly runtimeSettings: RuntimeSettings
  readonly #options: LayersOptions
  readonly #slots: ReadonlyMap<Setting<unknown>, Slot>
  readonly #byKey: ReadonlyMap<string, Setting<unknown>>
  #database: Layer = new Map()

  constructor(options: LayersOptions) {
    const { environment, workingDirectory, env } = options
    this.#options = options
    this.#slots = new Map(options.settings.map((setting) => [setting, emptySlot()]))
    this.#byKey = new Map(options.settings.map((setting) => [setting.key, setting]))
    this.#resolveSlots()
    this.config = {
      environment,
      workingDirectory,
      get: this.#get,
      sourceOf: (setting) => this.#slotOf(setting).source,
      envNameOf,
      onChange: (setting, listener) => this.#listen(setting as Setting<unknown>, listener),
    }
    this.runtimeSettings = {
      settings: this.#byKey,
      isLocked: (setting) => setting.tier !== 'runtime' || env.has(setting),
      rejectedOf: (values) => this.#partition(values).rejected,
      replaceDatabaseLayer: (values) => this.#replaceDatabaseLayer(values),
    }
  }

  readonly #get: ReadSetting = <T>(setting: Setting<T>) =>
    this.#slotOf(setting as Setting<unknown>).value as T

  #slotOf(setting: Setting<unknown>): Slot {
    const slot = this.#slots.get(setting) ?? this.#slotOfCopy(setting)
    if (slot === undefined) throw new Error(`the setting ${setting.key} was not contributed to settings`)
    return slot
  }

  /** A plugin may have its own copy of the package, and thus of the setting. */
  #slotOfCopy({ key }: Setting<unknown>): Slot | undefined {
    const original = this.#byKey.get(key)
    return original && this.#slots.get(original)
  }

  #resolveSlots() {
    const { env, file } = this.#options
    for (const [setting, slot] of this.#slots) {
      const [source, value] = topmost(setting, { env, file, database: this.#database })
      slot.source = source
      slot.value = value
    }
  }

  #listen(setting: Setting<unknown>, listener: (value: never) => void): () => void {
    const { listeners } = this.#slotOf(setting)
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  #replaceDatabaseLayer(values: Values): readonly RejectedValue[] {
    const { accepted, rejected } = this.#partition(values)
    const before = new Map([...this.#slots].map(([setting, slot]) => [setting, slot.value]))
    this.#database = accepted
    this.#resolveSlots()
    this.#notifyListeners(before)
    return rejected
  }

  #partition(values: Values): { readonly accepted: Layer; readonly rejected: readonly RejectedValue[] } {
    const accepted = new Map<Setting<unknown>, unknown>()
    const reasons = new Map<string, string>()
    for (const [key, value] of Object.entries(values)) {
      const setting = this.#byKey.get(key)
      const reason = setting === undefined ? 'there is no such setting' : refusal(setting, value)
      if (setting !== undefined && reason === undefined) accepted.set(setting, value)
      else reasons.set(key, reason ?? '')
    }
    // Accepted values may have been checked against values rejected since, so the check is repeated.
    for (let failed = this.#failing(accepted); failed.size > 0; failed = this.#failing(accepted)) {
      for (const [setting, reason] of failed) {
        accepted.delete(setting)
        reasons.set(setting.key, reason)
      }
    }
    const keys = Object.keys(values).filter((key) => reasons.has(key))
    return { accepted, rejected: keys.map((key) => ({ key, reason: reasons.get(key) ?? '' })) }
  }

  /** The settings whose own check fails, given all other values of the layer. */
  #failing(database: Layer): Map<Setting<unknown>, string> {
    const { env, file } = this.#options
    const get: ReadSetting = <T>(setting: Setting<T>) =>
      topmost(setting as Setting<unknown>, { env, file, database })[1] as T
    const failing = new Map<Setting<unknown>, string>()
    for (const [setting, value] of database) {
      const reason = this.#fatalProblem(setting, value, get)
      if (reason !== undefined) failing.set(setting, reason)
    }
    return failing
  }

  /** A value whose check fails with an error is rejected too. */
  #fatalProblem(setting: Setting<unknown>, value: unknown, get: ReadSetting): string | undefined {
    try {
      const problem = ownProblem(setting, value, this.#options.environment, get)
      return problem?.severity === 'fatal' ? `${problem.message}: ${problem.remedy}` : undefined
    } catch (error) {
      this.#options.log.error({ setting: setting.key, err: error }, `the check of ${setting.key} failed`)
      return error instanceof Error ? error.message : String(error)
    }
  }

  #notifyListeners(before: Layer) {
    for (const [setting, slot] of this.#slots) {
      if (isDeepStrictEqual(before.get(setting), slot.value)) continue
      for (const listener of slot.listeners) this.#callListener(setting, listener, slot.value)
    }
  }

  #callListener(setting: Setting<unknown>, listener: (value: never) => void, value: unknown) {
    try {
      listener(value as never)
    } catch (error) {
      this.#options.log.error({ setting: setting.key, err: error }, `a listener to ${setting.key} failed`)
    }
  }
}

function refusal(setting: Setting<unknown>, value: unknown): string | undefined {
  if (setting.tier !== 'runtime') return `is of the ${setting.tier} tier, which the database cannot set`
  return isAllowed(setting, value) ? undefined : `must be ${describeAllowed(setting)}`
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
