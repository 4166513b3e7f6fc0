import { useQuery } from '@tanstack/react-query'
import type { PanelSetting, SettingsAccess } from '../../../panel-api/panel-api.ts'
import { useAccess } from '../../ground/access/access.ts'
import { api } from '../../ground/api/client.ts'
import { queryClient } from '../../ground/api/query-client.ts'
import { reloadThemeStyles } from '../../shell/theme.ts'

type ByCategory = Readonly<Record<string, readonly PanelSetting[]>>

const queryKey = ['config']

/** All settings by category, with what each takes; for ever none where the plugin is off that knows them. */
export function useAllSettings() {
  const enabled = useAccess().isOn('runtime-config')
  return useQuery({ queryKey, queryFn: ({ signal }) => readSettings(signal), enabled })
}

/** Values and what they may be are two answers of the service. */
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

/** The settings of a category, and a way to write them. */
export function useSettings(category: string): SettingsAccess {
  const access = useAccess()
  const { data, error } = useAllSettings()
  const settings = data === undefined ? undefined : (data[category] ?? [])
  return { settings, error, isReadOnly: !access.mayArea('config', 'write'), save }
}

/** What the panel has started with, and its theme, depend on settings. */
async function save(values: Readonly<Record<string, unknown>>) {
  await api.send('PUT', '/admin/config', { body: values })
  if ('site.theme' in values) reloadThemeStyles()
  await Promise.all(
    [queryKey, ['panel'], ['theme']].map((key) => queryClient.invalidateQueries({ queryKey: key })),
  )
}
