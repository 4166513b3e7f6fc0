import { Type } from 'typebox'
import { AppError, defineRoute, type Principal, type Route, strict } from '../../foundation/http/http.ts'
import { maxPreferences, type PreferenceStore } from './preference-store.ts'

/** The maximum size of a value, as a request body. */
const maxBytes = 64 * 1024

const params = Type.Object({
  key: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$' }),
})

const base = { tag: 'Preferences', access: 'admin-user', path: '/admin/preferences/:key', params } as const

const value = Type.Unknown({ description: 'Any JSON' })

/** See docs/admin-api.md. */
export function preferenceRoutes(store: PreferenceStore): Route[] {
  return [
    defineRoute({
      ...base,
      name: 'admin:preferences.read',
      method: 'GET',
      summary: 'A preference of the caller',
      response: value,
      async handler({ principal, params: { key } }) {
        const found = await store.find(adminId(principal), key)
        if (found === undefined) throw AppError.notFound(`preference ${key}`)
        return found
      },
    }),
    defineRoute({
      ...base,
      name: 'admin:preferences.update',
      audit: false,
      method: 'PUT',
      summary: 'Keep a preference of the caller',
      description: `At most ${maxPreferences} for each admin user, each of at most 64 KB; nobody else sees them.`,
      body: Type.Object({ value }, strict),
      maxBodyBytes: maxBytes,
      response: value,
      async handler({ principal, params: { key }, body }) {
        await store.put(adminId(principal), key, body.value)
        return body.value
      },
    }),
    defineRoute({
      ...base,
      name: 'admin:preferences.delete',
      audit: false,
      method: 'DELETE',
      summary: 'Forget a preference of the caller',
      response: Type.Null(),
      async handler({ principal, params: { key } }) {
        if (!(await store.remove(adminId(principal), key))) throw AppError.notFound(`preference ${key}`)
        return null
      },
    }),
  ]
}

/** The guard admits admin users only. */
export function adminId(principal: Principal): number {
  if (principal.kind !== 'admin') throw AppError.forbidden()
  return principal.id
}
