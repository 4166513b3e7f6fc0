import { snakeCase } from '../checks/names.ts'
import type { AttributeFile } from '../file-attribute.ts'
import type { FileProblem } from '../files/file-problem.ts'
import type { ComponentDraft, SchemaSource } from '../files/schema-source.ts'
import type { Origin } from '../origin.ts'

/*
 * Names that third-party plugins add begin with the plugin's name, so that no two plugins collide, and so that the
 * owner of the data is known while its plugin is off.
 */

/** The remedy by which a project allows a plugin to use other names. */
const orAgree = (plugin: string) => `or let ${plugin} use any names: SVC_SCHEMAS_FREE_NAMES`

/** Checks that the names of a type begin with its plugin's name. */
export function checkOwnTypeNames({ origin, content: { info } }: SchemaSource): FileProblem[] {
  const { plugin = '', space } = origin
  if (space === undefined) return []
  return (['singularName', 'pluralName'] as const)
    .filter((key) => !isWithin(info[key], space) && info[key] !== `${space}s`)
    .map((key) => ({
      at: `info.${key}`,
      message: `${info[key]} is no name of the plugin's own`,
      remedy: `begin it with ${space}-, ${orAgree(plugin)}`,
    }))
}

/** Checks that the category of a component begins with its plugin's name. */
export function checkOwnComponentName({ uid, origin }: ComponentDraft): FileProblem[] {
  const { plugin = '', space } = origin
  const [category = '', name = ''] = uid.split('.')
  if (space === undefined || isWithin(category, space)) return []
  const message = `${uid} is not in a category of the plugin's own`
  return [{ at: 'uid', message, remedy: `name it ${space}.${name}, ${orAgree(plugin)}` }]
}

/**
 * Checks that the names of attributes that a plugin adds to types or components of others begin with its own,
 * including earlier names.
 */
export function checkOwnAttributes(
  added: readonly (readonly [name: string, attribute: AttributeFile])[],
  { plugin = '', space }: Origin,
): FileProblem[] {
  if (space === undefined) return []
  const prefix = snakeCase(space)
  const problem = (at: string, name: string): FileProblem[] =>
    isWithin(name, space)
      ? []
      : [
          {
            at,
            message: `${name} is no name of the plugin's own`,
            remedy: `name it ${prefix}_${snakeCase(name)}, ${orAgree(plugin)}`,
          },
        ]
  return added.flatMap(([name, { renamedFrom = name }]) => {
    const at = `attributes.${name}`
    const problems = problem(at, name)
    return problems.length > 0 ? problems : problem(`${at}.renamedFrom`, renamedFrom)
  })
}

/** True for `shop`, `shop-item`, `shop_item` and `shopItem` in the space of `shop`. */
function isWithin(name: string, space: string): boolean {
  const own = snakeCase(space)
  return snakeCase(name) === own || snakeCase(name).startsWith(`${own}_`)
}

/** `is of the plugin shop, which is off: …`, if the name of a type or component belongs to a plugin that is off. */
export function pluginOffFor(name: string, switchedOff: ReadonlyMap<string, string>): string | undefined {
  const [owner = ''] = name.split('.')
  const spaces = [...switchedOff.keys()].filter((plugin) => isWithin(owner, plugin))
  const [plugin] = spaces.sort((left, right) => right.length - left.length)
  if (plugin === undefined) return undefined
  return `is of the plugin ${plugin}, which is off: ${switchedOff.get(plugin)}`
}
