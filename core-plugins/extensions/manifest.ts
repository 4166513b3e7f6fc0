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
  return [...wrong, ...checkConfigSchema(manifest.configSchema)]
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
