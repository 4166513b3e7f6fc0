import { type ComponentType, useState } from 'react'
import type { EntryAction, EntryPanel, PanelField, PanelModuleDefinition } from '../../panel-api/panel-api.ts'
import type { EntryPart, SidePanel } from '../content/entry/entry-parts.ts'
import { useEntry } from '../content/entry/entry-session.ts'
import { contributeField, type FieldInputProps } from '../content/schema/field-kinds.ts'
import { contributeValues } from '../content/schema/value-kinds.ts'
import { useAccess } from '../ground/access/access.ts'
import { Button } from '../ground/kit/button/button.tsx'
import { loadPersistently } from '../ground/lazy/missing-parts.ts'
import { addModulePart } from '../shell/panel-part.ts'
import { PluginPart } from '../shell/plugins/plugin-part.tsx'
import { runAction } from '../shell/plugins/run-action.ts'
import { isForType, isShown } from '../shell/plugins/shown-parts.ts'

/** Registers a plugin's entry parts next to the panel's own. */
export function addEntryParts(plugin: string, definition: PanelModuleDefinition) {
  const { fields = {}, entryPanels = [], entryActions = [] } = definition
  for (const [name, field] of Object.entries(fields)) registerInput(plugin, name, field)
  addModulePart(plugin, {
    entryPanels: entryPanels.map((panel) => sidePanel(plugin, panel)),
    entryActions: entryActions.map((action) => titleAction(plugin, action)),
  })
}

function registerInput(plugin: string, name: string, field: PanelField) {
  const { input: Input, cell: Cell, valuesLike } = field
  if (valuesLike !== undefined) contributeValues(name, valuesLike)
  contributeField(name, {
    input: (props: FieldInputProps) => (
      <PluginPart plugin={plugin} where={`field ${name}`}>
        <Input {...props} />
      </PluginPart>
    ),
    ...(Cell !== undefined && {
      cell: (props) => (
        <PluginPart plugin={plugin} where={`cell of ${name}`} size="cell">
          <Cell {...props} />
        </PluginPart>
      ),
    }),
  })
}

function sidePanel(plugin: string, panel: EntryPanel): SidePanel {
  const { id, label, icon = 'puzzle', component: Component } = panel
  return {
    id,
    label: () => label,
    icon,
    mayShow: ({ type, access }) => isForType(panel, type.name) && isShown(panel, access),
    component: () => (
      <PluginPart plugin={plugin} where={`entry panel ${id}`}>
        <Component />
      </PluginPart>
    ),
  }
}

function titleAction(plugin: string, action: EntryAction): EntryPart {
  return {
    id: action.id,
    mayShow: ({ type, isNew, access }) => !isNew && isForType(action, type.name) && isShown(action, access),
    component: actionButton(plugin, action),
  }
}

function actionButton(plugin: string, { id, label, icon, run }: EntryAction): ComponentType {
  return function ActionButton() {
    const access = useAccess()
    const { id: entryId, saved, ...entry } = useEntry()
    const [isPending, setPending] = useState(false)
    async function press() {
      if (entryId === undefined || saved === undefined) return
      setPending(true)
      const { type, locale } = entry
      const isDone = await runAction({ plugin, where: `entry action ${id}` }, () =>
        run({ type: type.name, id: entryId, locale }),
      )
      setPending(false)
      if (!isDone) return
      const { refreshEntry } = await loadPersistently(
        () => import('../content/entry/side/publication/publication-requests.ts'),
      )
      // The action may have deleted the entry.
      await refreshEntry({ ...entry, id: entryId, saved }, access).catch(() => undefined)
    }
    return (
      <Button {...(icon === undefined ? {} : { icon })} isPending={isPending} onPress={() => void press()}>
        {label}
      </Button>
    )
  }
}
