import type { Plugin } from '../../kernel/index.ts'

/** Says everything that is wrong with what a plugin's file exports by default; nothing if it can be used. */
export function checkManifest(exported: unknown): string[] {
  if (typeof exported !== 'object' || exported === null) {
    return ['has no default export; write `export default definePlugin({ … })`']
  }
  const { name, description, kind = 'plugin', version = '0.0.0', engines } = exported as Partial<Plugin>
  const checks: [boolean, string][] = [
    [
      isText(name) && /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name),
      'name must be in kebab-case, such as `my-plugin`',
    ],
    [isText(description) && description !== '', 'description must say in one sentence what it does'],
    [isText(version), 'version must be a string, such as `1.0.0`'],
    [kind === 'plugin', 'kind must be `plugin`'],
    [
      engines === undefined || isText(engines?.mortise),
      'engines must be an object, such as `{ mortise: ">=0.1.0" }`',
    ],
  ]
  return checks.filter(([isRight]) => !isRight).map(([, message]) => message)
}

const isText = (value: unknown): value is string => typeof value === 'string'
