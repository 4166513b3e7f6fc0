import { useMemo } from 'react'
import type { PanelModuleDefinition } from '../../../panel-api/panel-api.ts'
import { useAccess } from '../../ground/access/access.ts'
import { usePluginModules } from './module-store.ts'
import { isShown } from './shown-parts.ts'

/** The kinds of contributions that are lists. */
export type ListKey = Exclude<keyof PanelModuleDefinition, 'fields' | 'settings'>

/** One contribution of the kind. */
export type PartOf<Key extends ListKey> = NonNullable<PanelModuleDefinition[Key]>[number]

/** A contribution with the name of its plugin. */
export type PluginPartOf<Key extends ListKey> = { readonly plugin: string; readonly part: PartOf<Key> }

/** The plugin contributions of a kind that the user may see. */
export function useParts<Key extends ListKey>(key: Key): readonly PluginPartOf<Key>[] {
  const access = useAccess()
  const modules = usePluginModules()
  return useMemo(
    () =>
      modules.flatMap(({ plugin, state }) => {
        if (state.kind !== 'ready') return []
        const parts = (state.definition[key] ?? []) as readonly PartOf<Key>[]
        return parts.filter((part) => isShown(part, access)).map((part) => ({ plugin, part }))
      }),
    [modules, access, key],
  )
}

/** The form that a plugin provides for a category of settings, replacing the panel's. */
export function useSettingsForm(category: string) {
  for (const { plugin, state } of usePluginModules()) {
    const component = state.kind === 'ready' ? state.definition.settings?.[category] : undefined
    if (component !== undefined) return { plugin, component }
  }
  return undefined
}
