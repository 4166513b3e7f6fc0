import { isBuiltInType } from '../content/schema/value-kinds.ts'
import type { ListKey } from '../shell/plugins/parts.ts'

/** A check of one contribution: the result, and the rule for the error message. */
type Check = readonly [isRight: boolean, rule: string]

type Parts = Readonly<Record<string, unknown>>

/** The checks for each kind of contribution. */
const checksOf: Readonly<Record<ListKey, (plugin: string, part: Parts) => readonly Check[]>> = {
  pages: (_, { path, label, icon, component }) => [
    [
      isText(path) && /^([a-z0-9-]+(\/[a-z0-9-]+)*)?$/.test(path),
      'path must be like report or reports/monthly',
    ],
    [label === undefined || isText(label), 'label must be a text'],
    isIcon(icon),
    isComponent(component),
  ],
  widgets: (plugin, { id, title, icon, size, component }) => [
    isOwn(plugin, id),
    [isText(title) && title !== '', 'title must be a text'],
    isIcon(icon),
    [size === undefined || size === 'm' || size === 'l', 'size must be m or l'],
    isComponent(component),
  ],
  columns: (plugin, { id, label, load, cell, types }) => [
    isOwn(plugin, id),
    isLabel(label),
    isTypes(types),
    [load === undefined || typeof load === 'function', 'load must be a function'],
    isComponent(cell, 'cell'),
  ],
  entryPanels: (plugin, { id, label, icon, component, types }) => [
    isOwn(plugin, id),
    isLabel(label),
    isIcon(icon),
    isTypes(types),
    isComponent(component),
  ],
  entryActions: actionChecks,
  listActions: actionChecks,
}

function actionChecks(plugin: string, { id, label, icon, run, types }: Parts): readonly Check[] {
  return [
    isOwn(plugin, id),
    isLabel(label),
    isIcon(icon),
    isTypes(types),
    [typeof run === 'function', 'run must be a function'],
  ]
}

/** Returns all problems with a module's exports, as the service does for plugin contributions. */
export function definitionProblems(plugin: string, exported: unknown): string[] {
  if (typeof exported !== 'object' || exported === null) {
    return ['it has no default export; write `export default definePanelModule({ … })`']
  }
  return Object.entries(exported).flatMap(([key, parts]) => {
    if (key === 'fields') return fieldProblems(plugin, parts)
    if (key === 'settings') return settingsProblems(plugin, parts)
    const check = Object.hasOwn(checksOf, key) ? checksOf[key as ListKey] : undefined
    if (check === undefined)
      return [`it has no part ${key}; there are fields, settings, ${Object.keys(checksOf).join(', ')}`]
    return Array.isArray(parts)
      ? listProblems(key, parts, (part) => check(plugin, part))
      : [`${key} must be a list`]
  })
}

function listProblems(key: string, parts: readonly unknown[], check: (part: Parts) => readonly Check[]) {
  const names = new Set<unknown>()
  return parts.flatMap((each, index) => {
    const part = (each ?? {}) as Parts
    const name = part.id ?? part.path
    const all: Check[] = [
      ...check(part),
      [
        part.mayShow === undefined || typeof part.mayShow === 'function',
        'mayShow must be a function that says true or false',
      ],
      [!names.has(name), `${name} is there already`],
    ]
    names.add(name)
    return all.filter(([isRight]) => !isRight).map(([, rule]) => `${key}[${index}]: ${rule}`)
  })
}

/** A plugin may only replace the forms for its own settings. */
function settingsProblems(plugin: string, forms: unknown): string[] {
  if (typeof forms !== 'object' || forms === null || Array.isArray(forms))
    return ['settings must be an object']
  return Object.entries(forms).flatMap(([category, form]) => [
    ...(category === `plugins.${plugin}` ? [] : [`settings.${category} must be named plugins.${plugin}`]),
    ...(isComponent(form)[0] ? [] : [`settings.${category} must be a component of React`]),
  ])
}

const isText = (value: unknown): value is string => typeof value === 'string'

const isIcon = (value: unknown): Check => [
  value === undefined || isText(value),
  'icon must be the name of an icon',
]

const isLabel = (value: unknown): Check => [isText(value) && value !== '', 'label must be a text']

const isTypes = (value: unknown): Check => [
  value === undefined || (Array.isArray(value) && value.every(isText)),
  'types must be a list of names of content types',
]

/** Checks for a component: a function, a class, or a result of `lazy` or `memo`. */
const isComponent = (value: unknown, name = 'component'): Check => [
  typeof value === 'function' || (typeof value === 'object' && value !== null),
  `${name} must be a component of React`,
]

/** The name of a field type or widget must be its plugin's name or begin with it. */
function fieldProblems(plugin: string, fields: unknown): string[] {
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
    return ['fields must be an object']
  return Object.entries(fields).flatMap(([name, field]: [string, Parts | null]) => {
    const isOwnName = name === plugin || name.startsWith(`${plugin}.`) || name.startsWith(`${plugin}-`)
    return [
      ...(isOwnName ? [] : [`fields.${name} must be named ${plugin} or ${plugin}.<what>`]),
      ...(isComponent(field?.input)[0] ? [] : [`fields.${name}: input must be a component of React`]),
      ...(field?.cell === undefined || isComponent(field.cell)[0]
        ? []
        : [`fields.${name}: cell must be a component of React`]),
      ...(field?.valuesLike === undefined || isBuiltInType(field.valuesLike)
        ? []
        : [`fields.${name}: valuesLike must be a built-in field type`]),
    ]
  })
}

/** Checks that an id begins with the plugin's name, since ids are shared by all plugins and used in URLs. */
function isOwn(plugin: string, id: unknown): Check {
  const own =
    isText(id) && id.startsWith(`${plugin}:`) && /^[a-z][a-z0-9-]*$/.test(id.slice(plugin.length + 1))
  return [own, `id must be named ${plugin}:<what>`]
}
