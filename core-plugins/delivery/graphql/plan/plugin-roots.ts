import { type GraphQLField, getArgumentValues } from 'graphql'
import { andThen } from '../../../../kernel/index.ts'
import { jsonBytes } from '../../../entries/content/content.ts'
import { admit } from '../root-access.ts'
import type { PluginRootMeaning } from '../schema/meaning.ts'
import type { RunRoot } from './call.ts'
import { statementCost } from './cost.ts'
import type { FieldNodes } from './selected-fields.ts'
import { addCostInside, type CompileContext } from './selection.ts'

/** Compiles a root field of a plugin. The selection of its result is executed by GraphQL, which coerces the values. */
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
      // Plans are cached, so the plugin gets a copy of the arguments that it may change.
      andThen(definition.resolve(structuredClone({ ...args }), { principal, recipient, ip }), (value) => {
        count(1, jsonBytes(value))
        return value ?? null
      }),
    )
}
