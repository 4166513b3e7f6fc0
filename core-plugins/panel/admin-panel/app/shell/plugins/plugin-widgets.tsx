import { Widget } from '../home/widget.tsx'
import { retryModule, usePluginModules } from './module-store.ts'
import { useParts } from './parts.ts'
import { FailedPart, PluginPart } from './plugin-part.tsx'

/** The home page tiles of plugins, and a box for each plugin whose code failed to load. */
export function PluginWidgets() {
  const failed = usePluginModules().filter(({ state }) => state.kind === 'failed')
  return (
    <>
      {useParts('widgets').map(
        ({ plugin, part: { id, title, icon = 'puzzle', size = 'm', component: Component } }) => (
          <Widget key={id} title={title} icon={icon} isWide={size === 'l'}>
            <PluginPart plugin={plugin} where={`widget ${id}`}>
              <Component />
            </PluginPart>
          </Widget>
        ),
      )}
      {failed.map(({ plugin, state }) => (
        <Widget key={plugin} title={plugin} icon="plug">
          <FailedPart
            plugin={plugin}
            problem={state.kind === 'failed' ? state.problem : ''}
            onRetry={() => retryModule(plugin)}
          />
        </Widget>
      ))}
    </>
  )
}
