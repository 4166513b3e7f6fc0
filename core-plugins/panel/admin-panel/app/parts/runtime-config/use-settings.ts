import { useQuery } from '@tanstack/react-query'
import type { PanelSetting, SettingsAccess } from '../../../panel-api/panel-api.ts'
import { useAccess } from '../../ground/access/access.ts'
import { api } from '../../ground/api/client.ts'
import { queryClient } from '../../ground/api/query-client.ts'
import { reloadThemeStyles } from '../../shell/theme.ts'

type ByCategory = Readonly<Record<string, readonly PanelSetting[]>>

const queryKey = ['config']

/** All settings by category, with their schemas; stays undefined if the plugin that serves them is off. */
export function useAllSettings() {
  const enabled = useAccess().isOn('runtime-config')
  return useQuery({ queryKey, queryFn: ({ signal }) => readSettings(signal), enabled })
}

/** Values and schemas come from two requests. */
async function readSettings(signal: AbortSignal): Promise<ByCategory> {
  const [values, schema] = await Promise.all([
    api.send<ByCategory>('GET', '/admin/config', { signal }),
    api.send<ByCategory>('GET', '/admin/config/schema', { signal }),
  ])
  const limits = new Map(
    Object.values(schema)
      .flat()
      .map((setting) => [setting.key, setting]),
  )
  return Object.fromEntries(
    Object.entries(values).map(([category, settings]) => [
      category,
      settings.map((setting) => ({ ...limits.get(setting.key), ...setting })),
    ]),
  )
}

/** The settings of a category, and a function to save them. */
export function useSettings(category: string): SettingsAccess {
  const access = useAccess()
  const { data, error } = useAllSettings()
  const settings = data === undefined ? undefined : (data[category] ?? [])
  return { settings, error, isReadOnly: !access.mayArea('config', 'write'), save }
}

/** Saves settings and reloads the panel document and theme, which depend on them. */
async function save(values: Readonly<Record<string, unknown>>) {
  await api.send('PUT', '/admin/config', { body: values })
  if ('site.theme' in values) reloadThemeStyles()
  await Promise.all(
    [queryKey, ['panel'], ['theme']].map((key) => queryClient.invalidateQueries({ queryKey: key })),
  )
}
