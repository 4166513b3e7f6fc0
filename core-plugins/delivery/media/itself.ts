import type { Principal } from '../../foundation/http/http.ts'

/** The principal of the service itself, which has all permissions. */
export const itself: Principal = { kind: 'token', id: 0, name: 'media', scopes: new Set(['admin:*']) }
