import { checkConfigSchema } from './config-schema.ts'
import type { ExtensionManifest } from './define-extension.ts'

/** Returns everything that is wrong with the manifest of a plugin or theme; nothing if it is usable. */
export function checkManifest(exported: unknown, expected: 'plugin' | 'theme'): string[] {
  if (typeof exported !== 'object' || exported === null) {
    return [missing[expected]]
  }
  const manifest = exported as Partial<ExtensionManifest>
  const { name, displayName = '', description, kind = expected, version = '0.0.0', engines } = manifest
  const checks: [boolean, string][] = [
    [
      isText(name) && /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name),
      'name must be in kebab-case, such as `my-plugin`',
    ],
    [isText(description) && description !== '', 'description must say in one sentence what it does'],
    [isText(displayName), 'displayName must be a text'],
    [isText(version), 'version must be a string, such as `1.0.0`'],
    [kind === expected, `kind must be \`${expected}\`: ${places[expected]}`],
    [
      engines === undefined || isText(engines?.mortise),
      'engines must be an object, such as `{ mortise: ">=0.1.0" }`',
    ],
  ]
  const wrong = checks.filter(([isRight]) => !isRight).map(([, message]) => message)
  return [
    ...wrong,
    ...checkTokens('points', manifest, 'extension point'),
    ...checkTokens('hooks', manifest, 'hook'),
    ...checkConfigSchema(manifest.configSchema),
  ]
}

const tokenMakers = { 'extension point': 'extensionPoint', hook: 'hook' }

function checkTokens(key: 'points' | 'hooks', manifest: object, kind: 'extension point' | 'hook'): string[] {
  const list = (manifest as Readonly<Record<string, unknown>>)[key]
  if (list === undefined) return []
  const remedy = `\`${tokenMakers[kind]}('shop:things')\` makes one`
  if (!Array.isArray(list)) return [`${key} must be a list of ${kind}s; ${remedy}`]
  return list.flatMap((token, index) => {
    const { kind: found, id } = (token ?? {}) as Readonly<Record<string, unknown>>
    if (found === kind && isText(id) && id !== '') return []
    const what = isText(found) && isText(id) ? `the ${found} ${id}` : 'something else'
    return [
      `${key}[${index}] must be ${kind === 'hook' ? 'a hook' : 'an extension point'}, not ${what}; ${remedy}`,
    ]
  })
}

const missing = {
  plugin: 'has no default export; write `export default definePlugin({ … })`',
  theme: 'holds no theme; write `{ "name": …, "tokens": { … } }`',
}

const places = {
  plugin: 'themes have a directory of their own',
  theme: 'plugins have a directory of their own',
}

const isText = (value: unknown): value is string => typeof value === 'string'
