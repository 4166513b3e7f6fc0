import { type GraphQLField, getArgumentValues } from 'graphql'
import { andThen } from '../../../../kernel/index.ts'
import { jsonBytes } from '../../../entries/content/content.ts'
import { admit } from '../root-access.ts'
import type { PluginRootMeaning } from '../schema/meaning.ts'
import type { RunRoot } from './call.ts'
import { statementCost } from './cost.ts'
import type { FieldNodes } from './selected-fields.ts'
import { addCostInside, type CompileContext } from './selection.ts'

/** Compiles a field that a plugin answers. What is selected of the answer is left to GraphQL, which coerces it. */
export function compilePluginRoot(
  root: PluginRootMeaning,
  field: GraphQLField<unknown, unknown>,
  nodes: FieldNodes,
  deps: CompileContext,
): RunRoot {
  const { definition } = root
  const args = getArgumentValues(field, nodes[0], { ...deps.variables })
  deps.seen.pluginFields = true
  deps.cost.add(statementCost)
  addCostInside(field.type, { same: nodes, weight: 1 }, deps)
  return ({ principal, recipient, ip, count }) =>
    andThen(admit(root, principal), () =>
      // Plans are kept: the plugin gets arguments that it may change.
      andThen(definition.resolve(structuredClone({ ...args }), { principal, recipient, ip }), (value) => {
        count(1, jsonBytes(value))
        return value ?? null
      }),
    )
}
