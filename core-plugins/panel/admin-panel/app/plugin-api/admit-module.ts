import type { PanelModuleDefinition } from '../../panel-api/panel-api.ts'
import { definitionProblems } from './check-definition.ts'
import { addEntryParts } from './entry-parts.tsx'

/** Validates a module's exports and registers its parts. @throws Error that names the problem */
export default function admitModule(plugin: string, exported: unknown): PanelModuleDefinition {
  const problems = definitionProblems(plugin, exported)
  if (problems.length > 0) throw new Error(problems.join('; '))
  const definition = exported as PanelModuleDefinition
  addEntryParts(plugin, definition)
  return definition
}
