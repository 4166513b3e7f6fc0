import { type ServiceToken, service } from '../../../kernel/index.ts'
import type { Principal, Route } from '../../foundation/http/http.ts'
import type { OpenApiDocument, ShownRoute } from './openapi.ts'

export type { OpenApiDocument, OpenApiOperation, ShownRoute } from './openapi.ts'

/** The API document. */
export interface Docs {
  /** OpenAPI 3.1 of all active routes, generated once after the start from the schemas that validate requests. */
  document(): OpenApiDocument
  /** The part of the document for the caller, as JSON. */
  textFor(principal: Principal): Promise<string>
  /** The matching routes that a caller may use, each with its usable variants. */
  usableBy(principal: Principal, matches: (route: Route) => boolean): Promise<readonly ShownRoute[]>
  /** A document of only these routes. */
  describe(shown: readonly ShownRoute[]): OpenApiDocument
}

/** The OpenAPI document of this service, complete or for a caller. */
export const docsService: ServiceToken<Docs> = service('docs')
