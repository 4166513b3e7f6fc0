import { type ServiceToken, service } from '../../../kernel/index.ts'
import type { Principal, Route } from '../../foundation/http/http.ts'
import type { OpenApiDocument, ShownRoute } from './openapi.ts'

export type { OpenApiDocument, OpenApiOperation, ShownRoute } from './openapi.ts'

/** The description of the API. */
export interface Docs {
  /** OpenAPI 3.1 of all active routes, generated once after boot from the schemas that validate requests. */
  document(): OpenApiDocument
  /** The part that a caller may use, as JSON. */
  textFor(principal: Principal): Promise<string>
  /** The routes, among those that match, that a caller may use, each in the variants that it may use. */
  usableBy(principal: Principal, matches: (route: Route) => boolean): Promise<readonly ShownRoute[]>
  /** A document of these alone. */
  describe(shown: readonly ShownRoute[]): OpenApiDocument
}

/** The OpenAPI document of this service, for one caller or another. */
export const docsService: ServiceToken<Docs> = service('docs')
