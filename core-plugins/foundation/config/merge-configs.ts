import type { ConfigFile } from './config-file.ts'

type Tree = { readonly [key: string]: unknown }

/**
 * The settings and plugin switches of both; if both set the same one, `over` wins. Keys may be dotted in one and
 * nested in the other. A setting whose value is an object gets the properties of both.
 */
export function mergeConfigs(base: ConfigFile, over: ConfigFile): ConfigFile {
  const { plugins: basePlugins = {}, strictPlugins: isBaseStrict, ...baseSettings } = base
  const { plugins = {}, strictPlugins = isBaseStrict, ...settings } = over
  return {
    ...mergeTrees(nested(baseSettings), nested(settings)),
    // Their names may contain dots.
    plugins: { ...basePlugins, ...plugins },
    ...(strictPlugins === undefined ? {} : { strictPlugins }),
  }
}

/** Turns every dotted key into nested levels. */
function nested(tree: Tree): Tree {
  const levels = Object.entries(tree).map(([key, value]) => {
    const [name = '', ...rest] = key.split('.')
    const inner = isTree(value) ? nested(value) : value
    return { [name]: rest.length === 0 ? inner : nested({ [rest.join('.')]: value }) }
  })
  return levels.reduce(mergeTrees, {})
}

function mergeTrees(base: Tree, over: Tree): Tree {
  const merged = new Map(Object.entries(base))
  for (const [key, value] of Object.entries(over)) {
    const before = merged.get(key)
    merged.set(key, isTree(before) && isTree(value) ? mergeTrees(before, value) : value)
  }
  return Object.fromEntries(merged)
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
