import { type ServiceToken, service } from '../../kernel/index.ts'
import type { Principal } from '../http/http.ts'
import type { OpenApiDocument } from './openapi.ts'

export type { OpenApiDocument, OpenApiOperation } from './openapi.ts'

/** The description of the API. */
export interface Docs {
  /** OpenAPI 3.1 of all active routes, generated once after boot from the schemas that validate requests. */
  document(): OpenApiDocument
  /** The part that a caller may use, as JSON. */
  textFor(principal: Principal): Promise<string>
}

export const docsService: ServiceToken<Docs> = service('docs')
