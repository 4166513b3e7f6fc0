import { type ServiceToken, service } from '../../kernel/index.ts'
import type { Recipient } from '../database/database.ts'
import type { Principal } from '../http/http.ts'

/** What a client sends, as GraphQL over HTTP has it. */
export interface GraphqlRequest {
  readonly source: string
  readonly variables: Readonly<Record<string, unknown>>
  readonly operationName: string | undefined
  readonly principal: Principal
  /** The client's address, for the audit log. */
  readonly ip: string | undefined
  /** Whose going ends what is costly to the database. */
  readonly recipient?: Recipient | undefined
  /** Refuses mutations with 405: what GET must never do. */
  readonly isReadOnly: boolean
}

export interface GraphqlAnswer {
  /** Of the HTTP answer: 200 where any data is answered, that of the first error otherwise. */
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: {
    readonly data?: Readonly<Record<string, unknown>> | null
    readonly errors?: readonly object[]
  }
}

/** The content types over GraphQL, for plugins that have another way to it than HTTP. */
export interface Graphql {
  /** Never throws for what the client did; the schema is made at the first call. */
  execute(request: GraphqlRequest): Promise<GraphqlAnswer>
}

export const graphqlService: ServiceToken<Graphql> = service('graphql')
