import type { Principal } from '../../foundation/http/http.ts'

/** Acts on behalf of the service, which sees and may do everything. */
export const itself: Principal = { kind: 'token', id: 0, name: 'media', scopes: new Set(['admin:*']) }
