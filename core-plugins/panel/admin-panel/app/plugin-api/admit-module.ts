import type { PanelModuleDefinition } from '../../panel-api/panel-api.ts'
import { definitionProblems } from './check-definition.ts'
import { addEntryParts } from './entry-parts.tsx'

/** Takes what a module exports, and puts its parts where they belong. @throws Error that names what is wrong with it */
export default function admitModule(plugin: string, exported: unknown): PanelModuleDefinition {
  const problems = definitionProblems(plugin, exported)
  if (problems.length > 0) throw new Error(problems.join('; '))
  const definition = exported as PanelModuleDefinition
  addEntryParts(plugin, definition)
  return definition
}
