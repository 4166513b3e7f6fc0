import { Type } from 'typebox'
import type { Auth } from '../../accounts/auth/auth.ts'
import type { RuntimeSettings } from '../../foundation/config/config.ts'
import { strict } from '../../foundation/http/http.ts'
import {
  type ListedItem,
  listedSection,
  scopedRights,
  type TransferSection,
} from '../../foundation/sections/sections.ts'
import type { RuntimeConfig } from './runtime-config.ts'

const valueSchema = Type.Object({ value: Type.Unknown() }, strict)

export interface SettingsSectionDeps {
  readonly auth: Auth
  readonly runtimeSettings: RuntimeSettings
  readonly runtimeConfig: RuntimeConfig
}

/**
 * Runtime settings in transfers. Secrets are never stored, and settings that decide where secrets are sent stay in each
 * environment, as do those from the environment variables and the config file.
 */
export function settingsSection({
  auth,
  runtimeSettings,
  runtimeConfig,
}: SettingsSectionDeps): TransferSection {
  const travels = (key: string) => {
    const setting = runtimeSettings.settings.get(key)
    return setting?.tier === 'runtime' && setting.isReserved !== true
  }
  return listedSection({
    name: 'settings',
    ...scopedRights(auth, 'admin:config'),
    valueSchema,
    async list(tx) {
      const stored = Object.entries(await runtimeConfig.stored(tx))
      return stored
        .filter(([key]) => travels(key))
        .map(
          ([key, value]): ListedItem => ({
            ...{ key, value: { value }, changedAt: null },
            label: runtimeSettings.settings.get(key)?.title ?? null,
          }),
        )
    },
    *missingRights(_, { key }) {
      // Such a setting belongs to the environment, and is changed there.
      if (runtimeSettings.settings.has(key) && !travels(key))
        yield `to change ${key} in each environment itself`
    },
    async put(items, { principal, ip, tx }) {
      const values = Object.fromEntries(items.map(({ key, value }) => [key, value.value]))
      await runtimeConfig.change(values, { principal, ...(ip === undefined ? {} : { ip }) }, tx)
    },
    async remove(keys, { principal, ip, tx }) {
      const values = Object.fromEntries(keys.map((key) => [key, null]))
      await runtimeConfig.change(values, { principal, ...(ip === undefined ? {} : { ip }) }, tx)
    },
  })
}
