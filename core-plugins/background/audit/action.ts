import type { Route } from '../../foundation/http/http.ts'

/** Whether a successful request to the route is recorded. */
export function isRecorded({ audit, method, access, name }: Route): boolean {
  if (audit !== undefined) return audit !== false
  // Content writes are recorded in their own transaction; content users have no administrative actions.
  return method !== 'GET' && access !== 'open' && access !== 'user' && !name.startsWith('content:')
}

/** The action of a route: `admin:api-tokens.create` becomes `api_token.create`, `media:files.delete` becomes `media.delete`. */
export function actionOf({ audit, name }: Route): string {
  if (typeof audit === 'string') return audit
  const { area, resource, verb } = partsOf(name)
  return `${area === 'admin' ? resource : area}.${verb}`
}

/** The resource of a route: `api_token`. */
export function resourceOf({ audit, name }: Route): string {
  return typeof audit === 'string' ? (audit.split('.', 1)[0] ?? audit) : partsOf(name).resource
}

function partsOf(name: string) {
  const [area = '', rest = ''] = name.split(':', 2)
  const end = rest.lastIndexOf('.')
  const resource = end === -1 ? rest : rest.slice(0, end)
  return {
    area: singular(area),
    resource: singular(resource),
    verb: underscored(end === -1 ? '' : rest.slice(end + 1)),
  }
}

function singular(words: string): string {
  return underscored(words)
    .replace(/ies$/, 'y')
    .replace(/(x|ch|sh|ss)es$/, '$1')
    .replace(/([^su])s$/, '$1')
}

function underscored(words: string): string {
  return words
    .replaceAll('-', '_')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
}
